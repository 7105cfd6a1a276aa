from bordeaux._ext.rules.structures cimport MapTables


cdef class Tables:
    cdef MapTables* map
