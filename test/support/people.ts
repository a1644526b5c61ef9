// Customers in the form of requests.

/** A customer with every field. */
export const FULL = {
  firstname: 'Ada',
  lastname: 'Lovelace',
  company: 'Analytical Engines',
  email: 'ada@example.com',
  phone: '+12025550123',
  cc_emails: ['one@example.com', 'two@example.com'],
  cc_sms: ['+12025550124'],
  address_1: '12 St James’s Square',
  address_2: 'Second floor',
  address_city: 'London',
  address_state: 'LDN',
  address_zip: 'SW1Y 4JH',
  address_country: 'GB',
  notes: 'Likes\nlong notes.',
  reference: 'cust-1',
  meta: { tier: 'gold', nested: { list: [1, 'two', null, true] } },
}

/** Every field differs from FULL. */
export const OTHER = {
  firstname: 'Grace',
  lastname: 'Hopper',
  company: 'US Navy',
  email: 'grace@example.com',
  phone: '+12025550177',
  cc_emails: ['three@example.com'],
  cc_sms: ['+12025550178', '+12025550179'],
  address_1: '1 Nimitz Way',
  address_2: 'Deck 2',
  address_city: 'Arlington',
  address_state: 'VA',
  address_zip: '22202',
  address_country: 'US',
  notes: 'Found\na moth.',
  reference: 'cust-2',
  meta: { tier: 'silver' },
}

/** From the oldest to the newest, with characters that are special in a search. */
export const PEOPLE = [
  { firstname: 'Ada', lastname: 'Lovelace', email: 'ada@example.com', phone: '+12025550101' },
  { firstname: 'Grace', lastname: 'Hopper', company: 'US Navy', address_city: 'New York' },
  { firstname: 'Alan', lastname: 'Turing', email: 'Alan@Example.com', reference: 'R-100%' },
  { firstname: 'Ada', lastname: 'Byron', notes: 'the same person', cc_emails: ['cc@example.com'] },
  { company: 'A_B \\ C', address_zip: '10001', cc_sms: ['+12025550199'] },
]
