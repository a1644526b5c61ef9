-- What answers the lists of customers and of payment methods in an account of a hundred thousand.
--
-- Partial, each of them: what is deleted is in no list, and no field that few customers have costs
-- the others anything.

-- Both come with PostgreSQL itself, and whoever owns the database may add them.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

-- ------------------------------------------------------------------------------------------- sorts
-- Ties go by id. What is unknown comes last either way, so the other direction is an index of its
-- own where a field may be unknown.

DROP INDEX customer_listed;
CREATE INDEX customer_by_created_at ON customer (account_id, created_at, id)
  WHERE deleted_at IS NULL;
CREATE INDEX customer_by_updated_at ON customer (account_id, updated_at, id)
  WHERE deleted_at IS NULL;

CREATE INDEX customer_by_firstname ON customer (account_id, firstname, id)
  WHERE deleted_at IS NULL;
CREATE INDEX customer_by_lastname ON customer (account_id, lastname, id)
  WHERE deleted_at IS NULL;
CREATE INDEX customer_by_company ON customer (account_id, company, id)
  WHERE deleted_at IS NULL;
CREATE INDEX customer_by_email ON customer (account_id, email, id)
  WHERE deleted_at IS NULL;

CREATE INDEX customer_by_firstname_desc
  ON customer (account_id, firstname DESC NULLS LAST, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX customer_by_lastname_desc
  ON customer (account_id, lastname DESC NULLS LAST, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX customer_by_company_desc
  ON customer (account_id, company DESC NULLS LAST, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX customer_by_email_desc
  ON customer (account_id, email DESC NULLS LAST, id DESC) WHERE deleted_at IS NULL;

DROP INDEX payment_method_listed;
CREATE INDEX payment_method_by_created_at ON payment_method (account_id, created_at, id)
  WHERE deleted_at IS NULL;
CREATE INDEX payment_method_by_updated_at ON payment_method (account_id, updated_at, id)
  WHERE deleted_at IS NULL;

-- ------------------------------------------------------------------------ filters, whatever the case

CREATE INDEX customer_of_firstname ON customer (account_id, lower(firstname))
  WHERE deleted_at IS NULL AND firstname IS NOT NULL;
CREATE INDEX customer_of_lastname ON customer (account_id, lower(lastname))
  WHERE deleted_at IS NULL AND lastname IS NOT NULL;
CREATE INDEX customer_of_company ON customer (account_id, lower(company))
  WHERE deleted_at IS NULL AND company IS NOT NULL;
CREATE INDEX customer_of_email ON customer (account_id, lower(email))
  WHERE deleted_at IS NULL AND email IS NOT NULL;
CREATE INDEX customer_of_phone ON customer (account_id, lower(phone))
  WHERE deleted_at IS NULL AND phone IS NOT NULL;
CREATE INDEX customer_of_address_1 ON customer (account_id, lower(address_1))
  WHERE deleted_at IS NULL AND address_1 IS NOT NULL;
CREATE INDEX customer_of_address_2 ON customer (account_id, lower(address_2))
  WHERE deleted_at IS NULL AND address_2 IS NOT NULL;
CREATE INDEX customer_of_address_city ON customer (account_id, lower(address_city))
  WHERE deleted_at IS NULL AND address_city IS NOT NULL;
CREATE INDEX customer_of_address_state ON customer (account_id, lower(address_state))
  WHERE deleted_at IS NULL AND address_state IS NOT NULL;
CREATE INDEX customer_of_address_zip ON customer (account_id, lower(address_zip))
  WHERE deleted_at IS NULL AND address_zip IS NOT NULL;
CREATE INDEX customer_of_address_country ON customer (account_id, lower(address_country))
  WHERE deleted_at IS NULL AND address_country IS NOT NULL;
CREATE INDEX customer_of_reference ON customer (account_id, lower(reference))
  WHERE deleted_at IS NULL AND reference IS NOT NULL;
-- An entry of an index has room for a third of a page; notes may be longer.
CREATE INDEX customer_of_notes ON customer (account_id, left(lower(notes), 100))
  WHERE deleted_at IS NULL AND notes IS NOT NULL;

CREATE FUNCTION lowered(texts text[]) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN (SELECT coalesce(array_agg(lower(one)), '{}') FROM unnest(texts) AS one);

CREATE INDEX customer_of_cc_emails ON customer USING gin (account_id, lowered(cc_emails))
  WHERE deleted_at IS NULL AND cc_emails <> '{}';
CREATE INDEX customer_of_cc_sms ON customer USING gin (account_id, lowered(cc_sms))
  WHERE deleted_at IS NULL AND cc_sms <> '{}';

-- ---------------------------------------------------------------------------------------- keywords
-- With those who are deleted: their transactions are searched by them too. The expression is that of
-- src/customers/search.ts, to the letter. What is new is gathered before it is sorted in: so much of
-- it (kB) that whoever must do that waits for a thirtieth of a second, not for a fifth.

CREATE INDEX customer_search ON customer USING gin (account_id, (
    coalesce(firstname || ' ', '') || coalesce(lastname || ' ', '')
    || coalesce(company || ' ', '') || coalesce(email || ' ', '')
    || coalesce(phone || ' ', '') || coalesce(reference || ' ', '')
  ) gin_trgm_ops) WITH (gin_pending_list_limit = 256) WHERE account_id IS NOT NULL;
