// SPDX-License-Identifier: BSL-1.0
// The linker puts this section before all other code, which so lies 48 bytes further.
asm(".section .text.unlikely,\"ax\",@progbits\n.skip 48\n.text");
