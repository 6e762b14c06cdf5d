// SPDX-License-Identifier: BSL-1.0
// Labels beside the ends of lines, moved apart so that none overlap. Each stays as near to its line as the others
// allow, and all stay inside [top, bottom].

/// wanted: the y of each label. Returns the y of each, at least `spacing` apart, in the same order.
export function spread(wanted, spacing, top, bottom) {
    const order = wanted.map((_, index) => index).sort((a, b) => wanted[a] - wanted[b] || a - b);
    // Blocks of touching labels: a block's centre is the mean of its members' wanted places.
    const blocks = [];
    const clamp = (block) => {
        const height = (block.members.length - 1) * spacing;
        const start = block.sum / block.members.length - height / 2;
        block.start = Math.max(top, Math.min(bottom - height, start));
        block.end = block.start + height;
    };
    for (const index of order) {
        let block = {members: [index], sum: wanted[index]};
        clamp(block);
        while (blocks.length > 0 && blocks[blocks.length - 1].end + spacing > block.start) {
            const above = blocks.pop();
            block = {members: [...above.members, ...block.members], sum: above.sum + block.sum};
            clamp(block);
        }
        blocks.push(block);
    }
    const placed = new Array(wanted.length);
    for (const {members, start} of blocks)
        members.forEach((index, i) => (placed[index] = start + i * spacing));
    return placed;
}
