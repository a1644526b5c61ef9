// Of a day's rows some millions may have been taken since the database last looked at its tables,
// and then nothing seems as near as the whole of them.

import type { Query } from '../db/database.ts'

const BY_INDEX = `
  SELECT set_config(name, 'off', true)
  FROM unnest(ARRAY['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin']) AS name`

/** Until the end of the commit that this is a part of, rows are looked up by indexes alone. */
export async function onlyByIndex(query: Query): Promise<void> {
  await query(BY_INDEX)
}
