"""What the learners of nets have in common: steps of Adam, and a state that can be saved."""

from libc.math cimport pow, sqrt
from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

from bordeaux._ext.learn.kernels cimport AdamStep, learn_adam
from bordeaux._ext.rules.structures cimport wide_vectors

cdef double BETA1 = 0.9
cdef double BETA2 = 0.98
cdef double STEEPEST = 1.0          # what slopes are cut down to, as one vector


cdef class Learner:
    """A net in training, with the running mean of its weights. `steps` counts steps; subclasses own the nets."""

    cdef int lay_out(
        self, float* weights, float* averaged, const size_t* starts, int n_parts, uint64_t decaying
    ) except -1:
        """Take the weights of two nets, `n_parts` arrays in one layout, of which those with these bits lose weight."""
        self.weights, self.averaged, self.starts, self.n_parts = weights, averaged, starts, n_parts
        self.decaying, self.n_weights, self.wide = decaying, starts[n_parts], wide_vectors()
        self.memory = <float*>calloc(3 * self.n_weights, sizeof(float))
        if self.memory == NULL:
            raise MemoryError
        return 0

    def __dealloc__(self):
        free(self.memory)

    cdef void settle(self) noexcept nogil:
        """Update what is kept twice in the nets after their weights have changed."""

    cdef void adam(self, double count, float rate) noexcept nogil:
        """Take a step along the mean of the slopes of so many examples, and update the mean of the weights."""
        cdef AdamStep step
        cdef double squares = 0
        cdef float* grad = self.memory
        cdef size_t n = self.n_weights, i
        cdef int part
        for i in range(n):
            squares += grad[i] * grad[i]
        self.steps += 1
        step.rate = rate
        step.beta1, step.beta2 = BETA1, BETA2
        step.correct1, step.correct2 = 1 / (1 - pow(BETA1, self.steps)), 1 / (1 - pow(BETA2, self.steps))
        step.keep = min(<double>self.keep, self.steps / (self.steps + 10.0))
        step.scale = min(1.0, STEEPEST / max(sqrt(squares) / count, 1e-12)) / count
        for part in range(self.n_parts):
            step.decay = self.decay if self.decaying >> part & 1 else 0
            i = self.starts[part]
            learn_adam(
                self.wide, self.weights + i, grad + i, grad + n + i, grad + 2 * n + i, self.averaged + i,
                self.starts[part + 1] - i, &step,
            )
        self.settle()

    def saved(self) -> bytes:
        """The whole state of a run, as bytes."""
        cdef size_t n = self.n_weights * sizeof(float)
        return (
            int(self.steps).to_bytes(8, "little") + (<const char*>self.weights)[:n]
            + (<const char*>self.averaged)[:n] + (<const char*>self.memory)[n : 3 * n]
        )

    def restore(self, bytes saved not None):
        """Continue from the result of `saved`. Raises ValueError for bytes of another length."""
        cdef size_t n = self.n_weights * sizeof(float)
        cdef const char* data = saved
        if len(saved) != 8 + 4 * n:
            raise ValueError(f"{len(saved)} bytes of a training that has {8 + 4 * n}")
        self.steps = int.from_bytes(saved[:8], "little")
        memcpy(self.weights, data + 8, n)
        memcpy(self.averaged, data + 8 + n, n)
        memcpy(self.memory + self.n_weights, data + 8 + 2 * n, 2 * n)
        self.settle()
