// Searches customers by a keyword, as a SQL condition. Lists of a customer's invoices and the like
// use it too.

const SEARCHED = ['firstname', 'lastname', 'company', 'email', 'phone', 'reference'] as const

/** One text, exactly as in the index, so that a first name followed by a last name is found. */
const SEARCHED_TEXT = SEARCHED.map((column) => `coalesce(c.${column} || ' ', '')`).join(' || ')

/**
 * True if the name, company, e-mail address, phone number or reference of customer `c` contains the
 * keyword. `parameter` is the keyword as `containing` makes it. With the account in the condition,
 * the index customer_search finds the rows.
 */
export function customerMatches(parameter: string): string {
  return `(${SEARCHED_TEXT}) ILIKE ${parameter}`
}
