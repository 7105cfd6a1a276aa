from bordeaux._ext.structures cimport MapTables


cdef class Tables:
    cdef MapTables* map
