// What settings of one kind look like, each in its own way.

/**
 * A key made by the service holds 32 random bytes; one that a person chose for the sandbox may be
 * shorter.
 */
export const SANDBOX_KEY = /^sk_sandbox_[A-Za-z0-9_-]{16,200}$/

/** A secret or restricted key; the publishable one (`pk_`) can charge nothing. */
export const STRIPE_KEY = /^(sk|rk)_[A-Za-z0-9_]{8,}$/

export const POSTGRES =
  'postgres://user:password@host:5432/database, special characters of a password as %40'

export const SMTP =
  'smtp:// or smtps://user:password@host:port, special characters of a password as %40'
