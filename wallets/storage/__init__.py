"""Special ways of storing: time, copies, batches, encryption, and signatures."""
