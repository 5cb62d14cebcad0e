"""What people read: tables of rows (`table`), one claim in full (`claim_page`), progress of a run (`progress`)."""
