"""What a table shows, between rows and formats: a model of lines and cells (`model`), made from rows (`from_rows`)."""
