"""The log as arithmetic: bytes go in; tree hashes, proofs, signed notes and what a log says come out.

Pure: no Django, no files, no clock. The server and the command `heldout audit` check with this very code.
"""
