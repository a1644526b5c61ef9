-- A session ends when the password that it began under is no longer the password. A session of the
-- version before has no digest, and its operator signs in once more.

-- AlterTable
ALTER TABLE "operator_session" ADD COLUMN "password" BYTEA;

-- An address from which an operator signed in lately is not held up by the tries of strangers.
CREATE INDEX deed_signed_in ON deed (address, created_at) WHERE deed = 'signed in';
