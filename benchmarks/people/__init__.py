"""Who runs a benchmark and who sees it: roles, what each may do, and invitations to one."""
