"""The pages of the door: one's own user account, its sessions and tokens, and all users for administrators."""
