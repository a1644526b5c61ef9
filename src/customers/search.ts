// How customers are searched by a keyword, as a condition of SQL: whoever lists what belongs to a
// customer searches by it too.

const SEARCHED = ['firstname', 'lastname', 'company', 'email', 'phone', 'reference'] as const

/**
 * True of the customer `alias` in whose name, company, e-mail address, phone number or reference
 * the keyword stands. `parameter` holds the keyword as `containing` makes it. The index
 * customer_search answers it where the account is given with it.
 */
export function customerMatches(alias: string, parameter: string): string {
  return `(${searchedText(alias)}) ILIKE ${parameter}`
}

/** One text, so that a first name with the last name after it is found; as the index has it. */
function searchedText(alias: string): string {
  return SEARCHED.map((column) => `coalesce(${alias}.${column} || ' ', '')`).join(' || ')
}
