// SPDX-License-Identifier: BSL-1.0
// The functions of Windows that the library calls, with the declarations of <windows.h>. Including
// <windows.h> itself would define about a thousand macros.
#pragma once

extern "C" {
__declspec(dllimport) void* __stdcall VirtualAlloc(void* place, unsigned long long length,
                                                   unsigned long type, unsigned long protection);
__declspec(dllimport) int __stdcall VirtualFree(void* place, unsigned long long length,
                                                unsigned long type);
__declspec(dllimport) unsigned long __stdcall GetCurrentThreadId();
__declspec(dllimport) int __stdcall SwitchToThread();
__declspec(dllimport) void __stdcall Sleep(unsigned long milliseconds);
__declspec(dllimport) void __stdcall FlushProcessWriteBuffers();

struct _RTL_SRWLOCK;
__declspec(dllimport) void __stdcall AcquireSRWLockExclusive(_RTL_SRWLOCK* lock);
__declspec(dllimport) unsigned char __stdcall TryAcquireSRWLockExclusive(_RTL_SRWLOCK* lock);
__declspec(dllimport) void __stdcall ReleaseSRWLockExclusive(_RTL_SRWLOCK* lock);
}
