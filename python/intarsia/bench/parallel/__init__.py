"""Several ranks against one."""
