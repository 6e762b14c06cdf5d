// SPDX-License-Identifier: BSL-1.0
// What objdump 2.40 printed of the lab's probes, by g++ 12.2 and clang++ 14.0; other functions are
// left out.
#pragma once

namespace recorded {

inline constexpr char gcc_unique_destroy[] = R"(
Disassembly of section .text.probe_destroy_0:

0000000000000000 <probe_destroy_0>:
   0:	48 8b 3f             	mov    (%rdi),%rdi
   3:	48 85 ff             	test   %rdi,%rdi
   6:	74 10                	je     18 <probe_destroy_0+0x18>
   8:	be 10 00 00 00       	mov    $0x10,%esi
   d:	e9 00 00 00 00       	jmp    12 <probe_destroy_0+0x12>	e: R_X86_64_PLT32	_ZdlPvm-0x4
  12:	66 0f 1f 44 00 00    	nopw   0x0(%rax,%rax,1)
  18:	c3                   	ret
)";

inline constexpr char gcc_counted_acquire[] = R"(
Disassembly of section .text.unlikely.probe_acquire_0:

0000000000000000 <probe_acquire_0.cold>:
   0:	e8 00 00 00 00       	call   5 <probe_acquire_0.cold+0x5>	1: R_X86_64_PLT32	__cxa_begin_catch-0x4
   5:	be 10 00 00 00       	mov    $0x10,%esi
   a:	48 89 df             	mov    %rbx,%rdi
   d:	e8 00 00 00 00       	call   12 <probe_acquire_0.cold+0x12>	e: R_X86_64_PLT32	_ZdlPvm-0x4
  12:	e8 00 00 00 00       	call   17 <probe_acquire_0.cold+0x17>	13: R_X86_64_PLT32	__cxa_rethrow-0x4
  17:	48 89 c3             	mov    %rax,%rbx
  1a:	e8 00 00 00 00       	call   1f <probe_acquire_0.cold+0x1f>	1b: R_X86_64_PLT32	__cxa_end_catch-0x4
  1f:	48 89 df             	mov    %rbx,%rdi
  22:	e8 00 00 00 00       	call   27 <probe_acquire_0.cold+0x27>	23: R_X86_64_PLT32	_Unwind_Resume-0x4

Disassembly of section .text.probe_acquire_0:

0000000000000000 <probe_acquire_0>:
   0:	55                   	push   %rbp
   1:	48 89 fd             	mov    %rdi,%rbp
   4:	53                   	push   %rbx
   5:	48 83 ec 08          	sub    $0x8,%rsp
   9:	48 89 37             	mov    %rsi,(%rdi)
   c:	48 c7 47 08 00 00 00 00 	movq   $0x0,0x8(%rdi)
  14:	48 85 f6             	test   %rsi,%rsi
  17:	74 27                	je     40 <probe_acquire_0+0x40>
  19:	bf 18 00 00 00       	mov    $0x18,%edi
  1e:	48 89 f3             	mov    %rsi,%rbx
  21:	e8 00 00 00 00       	call   26 <probe_acquire_0+0x26>	22: R_X86_64_PLT32	_Znwm-0x4
  26:	48 8d 15 00 00 00 00 	lea    0x0(%rip),%rdx        # 2d <probe_acquire_0+0x2d>	29: R_X86_64_PC32	_ZN8freehold6detail12owning_blockIN6probed5ownedILi0EEENS_12atomic_countESt14default_deleteIS4_ESaISt4byteEE10dispose_ofEPNS0_13counted_blockIS5_EE-0x4
  2d:	48 c7 00 01 00 00 00 	movq   $0x1,(%rax)
  34:	48 89 50 08          	mov    %rdx,0x8(%rax)
  38:	48 89 58 10          	mov    %rbx,0x10(%rax)
  3c:	48 89 45 08          	mov    %rax,0x8(%rbp)
  40:	48 83 c4 08          	add    $0x8,%rsp
  44:	5b                   	pop    %rbx
  45:	5d                   	pop    %rbp
  46:	c3                   	ret
  47:	48 89 c7             	mov    %rax,%rdi
  4a:	e9 00 00 00 00       	jmp    4f <probe_acquire_0+0x4f>	4b: R_X86_64_PC32	.text.unlikely.probe_acquire_0-0x4
)";

inline constexpr char gcc_counted_destroy[] = R"(
Disassembly of section .text.probe_destroy_0:

0000000000000000 <probe_destroy_0>:
   0:	48 8b 7f 08          	mov    0x8(%rdi),%rdi
   4:	48 85 ff             	test   %rdi,%rdi
   7:	74 0f                	je     18 <probe_destroy_0+0x18>
   9:	48 83 2f 01          	subq   $0x1,(%rdi)
   d:	75 09                	jne    18 <probe_destroy_0+0x18>
   f:	ff 67 08             	jmp    *0x8(%rdi)
  12:	66 0f 1f 44 00 00    	nopw   0x0(%rax,%rax,1)
  18:	c3                   	ret
)";

inline constexpr char gcc_shared_copy[] = R"(
Disassembly of section .text.probe_copy_0:

0000000000000000 <probe_copy_0>:
   0:	f3 0f 6f 06          	movdqu (%rsi),%xmm0
   4:	0f 11 07             	movups %xmm0,(%rdi)
   7:	48 8b 47 08          	mov    0x8(%rdi),%rax
   b:	48 85 c0             	test   %rax,%rax
   e:	74 15                	je     25 <probe_copy_0+0x25>
  10:	80 3d 00 00 00 00 00 	cmpb   $0x0,0x0(%rip)        # 17 <probe_copy_0+0x17>	12: R_X86_64_PC32	__libc_single_threaded-0x5
  17:	74 07                	je     20 <probe_copy_0+0x20>
  19:	83 40 08 01          	addl   $0x1,0x8(%rax)
  1d:	c3                   	ret
  1e:	66 90                	xchg   %ax,%ax
  20:	f0 83 40 08 01       	lock addl $0x1,0x8(%rax)
  25:	c3                   	ret
)";

inline constexpr char clang_shared_destroy[] = R"(
Disassembly of section .text.probe_destroy_0:

0000000000000000 <probe_destroy_0>:
   0:	53                   	push   %rbx
   1:	48 8b 5f 08          	mov    0x8(%rdi),%rbx
   5:	48 85 db             	test   %rbx,%rbx
   8:	74 45                	je     4f <probe_destroy_0+0x4f>
   a:	48 8b 43 08          	mov    0x8(%rbx),%rax
   e:	48 b9 01 00 00 00 01 00 00 00 	movabs $0x100000001,%rcx
  18:	48 39 c8             	cmp    %rcx,%rax
  1b:	75 1b                	jne    38 <probe_destroy_0+0x38>
  1d:	48 c7 43 08 00 00 00 00 	movq   $0x0,0x8(%rbx)
  25:	48 8b 03             	mov    (%rbx),%rax
  28:	48 89 df             	mov    %rbx,%rdi
  2b:	ff 50 10             	call   *0x10(%rax)
  2e:	48 8b 03             	mov    (%rbx),%rax
  31:	48 89 df             	mov    %rbx,%rdi
  34:	5b                   	pop    %rbx
  35:	ff 60 18             	jmp    *0x18(%rax)
  38:	48 8b 0d 00 00 00 00 	mov    0x0(%rip),%rcx        # 3f <probe_destroy_0+0x3f>	3b: R_X86_64_REX_GOTPCRELX	__libc_single_threaded-0x4
  3f:	80 39 00             	cmpb   $0x0,(%rcx)
  42:	74 0d                	je     51 <probe_destroy_0+0x51>
  44:	8d 48 ff             	lea    -0x1(%rax),%ecx
  47:	89 4b 08             	mov    %ecx,0x8(%rbx)
  4a:	83 f8 01             	cmp    $0x1,%eax
  4d:	74 11                	je     60 <probe_destroy_0+0x60>
  4f:	5b                   	pop    %rbx
  50:	c3                   	ret
  51:	b8 ff ff ff ff       	mov    $0xffffffff,%eax
  56:	f0 0f c1 43 08       	lock xadd %eax,0x8(%rbx)
  5b:	83 f8 01             	cmp    $0x1,%eax
  5e:	75 ef                	jne    4f <probe_destroy_0+0x4f>
  60:	48 89 df             	mov    %rbx,%rdi
  63:	5b                   	pop    %rbx
  64:	e9 00 00 00 00       	jmp    69 <probe_destroy_0+0x69>	65: R_X86_64_PLT32	_ZNSt16_Sp_counted_baseILN9__gnu_cxx12_Lock_policyE2EE24_M_release_last_use_coldEv-0x4

Disassembly of section .text.__clang_call_terminate:

0000000000000000 <__clang_call_terminate>:
   0:	50                   	push   %rax
   1:	e8 00 00 00 00       	call   6 <__clang_call_terminate+0x6>	2: R_X86_64_PLT32	__cxa_begin_catch-0x4
   6:	e8 00 00 00 00       	call   b <__clang_call_terminate+0xb>	7: R_X86_64_PLT32	_ZSt9terminatev-0x4

Disassembly of section .text._ZNSt16_Sp_counted_baseILN9__gnu_cxx12_Lock_policyE2EE24_M_release_last_use_coldEv:

0000000000000000 <_ZNSt16_Sp_counted_baseILN9__gnu_cxx12_Lock_policyE2EE24_M_release_last_use_coldEv>:
   0:	53                   	push   %rbx
   1:	48 89 fb             	mov    %rdi,%rbx
   4:	48 8b 07             	mov    (%rdi),%rax
   7:	ff 50 10             	call   *0x10(%rax)
   a:	48 8b 05 00 00 00 00 	mov    0x0(%rip),%rax        # 11 <_ZNSt16_Sp_counted_baseILN9__gnu_cxx12_Lock_policyE2EE24_M_release_last_use_coldEv+0x11>	d: R_X86_64_REX_GOTPCRELX	__libc_single_threaded-0x4
  11:	80 38 00             	cmpb   $0x0,(%rax)
  14:	74 18                	je     2e <_ZNSt16_Sp_counted_baseILN9__gnu_cxx12_Lock_policyE2EE24_M_release_last_use_coldEv+0x2e>
  16:	8b 43 0c             	mov    0xc(%rbx),%eax
  19:	8d 48 ff             	lea    -0x1(%rax),%ecx
  1c:	89 4b 0c             	mov    %ecx,0xc(%rbx)
  1f:	83 f8 01             	cmp    $0x1,%eax
  22:	75 19                	jne    3d <_ZNSt16_Sp_counted_baseILN9__gnu_cxx12_Lock_policyE2EE24_M_release_last_use_coldEv+0x3d>
  24:	48 8b 03             	mov    (%rbx),%rax
  27:	48 89 df             	mov    %rbx,%rdi
  2a:	5b                   	pop    %rbx
  2b:	ff 60 18             	jmp    *0x18(%rax)
  2e:	b8 ff ff ff ff       	mov    $0xffffffff,%eax
  33:	f0 0f c1 43 0c       	lock xadd %eax,0xc(%rbx)
  38:	83 f8 01             	cmp    $0x1,%eax
  3b:	74 e7                	je     24 <_ZNSt16_Sp_counted_baseILN9__gnu_cxx12_Lock_policyE2EE24_M_release_last_use_coldEv+0x24>
  3d:	5b                   	pop    %rbx
  3e:	c3                   	ret
)";

inline constexpr char clang_boost_destroy[] = R"(
Disassembly of section .text.probe_destroy_0:

0000000000000000 <probe_destroy_0>:
   0:	53                   	push   %rbx
   1:	48 8b 5f 08          	mov    0x8(%rdi),%rbx
   5:	48 85 db             	test   %rbx,%rbx
   8:	74 20                	je     2a <probe_destroy_0+0x2a>
   a:	f0 83 6b 08 01       	lock subl $0x1,0x8(%rbx)
   f:	75 19                	jne    2a <probe_destroy_0+0x2a>
  11:	48 8b 03             	mov    (%rbx),%rax
  14:	48 89 df             	mov    %rbx,%rdi
  17:	ff 50 10             	call   *0x10(%rax)
  1a:	f0 83 6b 0c 01       	lock subl $0x1,0xc(%rbx)
  1f:	75 09                	jne    2a <probe_destroy_0+0x2a>
  21:	48 8b 03             	mov    (%rbx),%rax
  24:	48 89 df             	mov    %rbx,%rdi
  27:	ff 50 18             	call   *0x18(%rax)
  2a:	5b                   	pop    %rbx
  2b:	c3                   	ret
  2c:	48 89 c7             	mov    %rax,%rdi
  2f:	e8 00 00 00 00       	call   34 <probe_destroy_0+0x34>	30: R_X86_64_PLT32	__clang_call_terminate-0x4

Disassembly of section .text.__clang_call_terminate:

0000000000000000 <__clang_call_terminate>:
   0:	50                   	push   %rax
   1:	e8 00 00 00 00       	call   6 <__clang_call_terminate+0x6>	2: R_X86_64_PLT32	__cxa_begin_catch-0x4
   6:	e8 00 00 00 00       	call   b <__clang_call_terminate+0xb>	7: R_X86_64_PLT32	_ZSt9terminatev-0x4
)";

inline constexpr char clang_loki_destroy[] = R"(
Disassembly of section .text.probe_destroy_0:

0000000000000000 <probe_destroy_0>:
   0:	53                   	push   %rbx
   1:	48 89 fb             	mov    %rdi,%rbx
   4:	48 83 c7 08          	add    $0x8,%rdi
   8:	e8 00 00 00 00       	call   d <probe_destroy_0+0xd>	9: R_X86_64_PLT32	_ZN4Loki7Private13RefLinkedBase7ReleaseEv-0x4
   d:	84 c0                	test   %al,%al
   f:	74 0e                	je     1f <probe_destroy_0+0x1f>
  11:	48 8b 3b             	mov    (%rbx),%rdi
  14:	48 85 ff             	test   %rdi,%rdi
  17:	74 06                	je     1f <probe_destroy_0+0x1f>
  19:	5b                   	pop    %rbx
  1a:	e9 00 00 00 00       	jmp    1f <probe_destroy_0+0x1f>	1b: R_X86_64_PLT32	_ZdlPv-0x4
  1f:	5b                   	pop    %rbx
  20:	c3                   	ret
  21:	48 89 c7             	mov    %rax,%rdi
  24:	e8 00 00 00 00       	call   29 <probe_destroy_0+0x29>	25: R_X86_64_PLT32	__clang_call_terminate-0x4
)";

}  // namespace recorded
