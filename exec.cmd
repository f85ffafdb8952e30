@rem "npm start" begins with "exec", so that signals sent to npm reach the launcher and not a shell between them.
@rem Windows knows no "exec"; there, this stands in for it.
@%*
