# SPDX-License-Identifier: BSL-1.0
# cython: language_level = 3
# distutils: language = c++
"""Binds node_cache.hpp. Every call that may wait releases Python's lock."""

from libc.stdint cimport uint64_t
from libcpp cimport bool as c_bool
from libcpp.memory cimport shared_ptr
from libcpp.pair cimport pair
from libcpp.string cimport string
from libcpp.vector cimport vector

from pyarrow._fs cimport FileSystem
from pyarrow.includes.common cimport CResult, CStatus, GetResultValue
from pyarrow.includes.libarrow cimport CRandomAccessFile
from pyarrow.includes.libarrow_fs cimport CFileSystem
from pyarrow.lib cimport NativeFile, check_status


cdef extern from "node_cache.hpp" namespace "freehold_arrow" nogil:
    cdef cppclass cache_options:
        size_t capacity
        size_t line_size
        unsigned prefetch
        unsigned threads
        size_t reserve
        c_bool current_versions
        string disk
        uint64_t disk_capacity

    cdef cppclass node_cache:
        @staticmethod
        CResult[node_cache*] make(shared_ptr[CFileSystem], const cache_options&)
        CStatus check_process()
        CResult[shared_ptr[CRandomAccessFile]] open(const string&)
        void invalidate(const string&)
        size_t trim()
        void flush()
        void end()
        vector[pair[string, uint64_t]] statistics()
        string disk_fault()


cdef class Cache:
    """A cache of lines over one file system. It lives as long as the process."""
    cdef node_cache* cache

    def __init__(self, FileSystem inner not None, *, size_t capacity, size_t line_size, unsigned prefetch,
                 unsigned threads, size_t reserve, bint current_versions, str disk, uint64_t disk_capacity):
        cdef cache_options options
        cdef shared_ptr[CFileSystem] files = inner.unwrap()
        options.capacity = capacity
        options.line_size = line_size
        options.prefetch = prefetch
        options.threads = threads
        options.reserve = reserve
        options.current_versions = current_versions
        options.disk = disk.encode()
        options.disk_capacity = disk_capacity
        with nogil:
            self.cache = GetResultValue(node_cache.make(files, options))

    def open(self, str path not None):
        """Opens a file as a `pyarrow.NativeFile`, whose reads do not use Python."""
        cdef NativeFile file = NativeFile()
        cdef string name = path.encode()
        cdef shared_ptr[CRandomAccessFile] opened
        with nogil:
            opened = GetResultValue(self.cache.open(name))
        file.set_random_access_file(opened)
        file.is_readable = True
        return file

    def invalidate(self, str path not None):
        """Drops the file's lines, in memory and on the disk. Arrays keep what they hold."""
        cdef string name = path.encode()
        check_status(self.cache.check_process())
        with nogil:
            self.cache.invalidate(name)

    def trim(self):
        """Returns the memory of all lines that no array holds to the system, and the number of bytes."""
        cdef size_t bytes
        check_status(self.cache.check_process())
        with nogil:
            bytes = self.cache.trim()
        return bytes

    def flush(self):
        """Waits until all lines that have arrived are on the disk, if there is a disk."""
        check_status(self.cache.check_process())
        with nogil:
            self.cache.flush()

    def _end(self):
        """To be called before Python ends."""
        check_status(self.cache.check_process())
        with nogil:
            self.cache.end()

    def statistics(self):
        """Returns a dictionary of numbers, since the cache was made."""
        cdef vector[pair[string, uint64_t]] figures
        check_status(self.cache.check_process())
        with nogil:
            figures = self.cache.statistics()
        return {name.decode(): value for name, value in figures}

    @property
    def disk_fault(self):
        """Why the disk is not used. Empty if it is used, or if there is none."""
        check_status(self.cache.check_process())
        return self.cache.disk_fault().decode()
