// One of each resource, as the document shows it: a charge of a customer's card that a batch has
// taken, and of which a part was refunded.

const ID = '01941f29-7c00-7000-8000-'
const CUSTOMER = `${ID}000000000001`
const CARD = `${ID}000000000002`
const CHARGE = `${ID}000000000003`
const BATCH = `${ID}000000000004`
const LINK = '5b1f0c9be2a94c6f8d7e3a2b1c0d9e8f'

const times = (updated: string) => ({
  created_at: '2026-03-06T15:04:05.678Z',
  updated_at: updated,
})

const MADE = times('2026-03-06T15:04:05.678Z')

const nowhere = {
  address_1: null,
  address_2: null,
  address_city: null,
  address_state: null,
  address_zip: null,
  address_country: null,
}

export const exampleCustomer = {
  id: CUSTOMER,
  firstname: 'Ada',
  lastname: 'Lovelace',
  company: null,
  email: 'ada@example.com',
  phone: '+12025550123',
  cc_emails: ['accounts@example.com'],
  cc_sms: [],
  ...nowhere,
  notes: null,
  reference: 'cust-1',
  meta: { tier: 'gold' },
  ...MADE,
}

export const examplePaymentMethod = {
  id: CARD,
  customer_id: CUSTOMER,
  method: 'card',
  nickname: 'Blue card',
  person_name: 'Ada Lovelace',
  card_type: 'visa',
  card_last_four: '1111',
  card_exp: '1230',
  bank_name: null,
  bank_type: null,
  bank_holder_type: null,
  bank_last_four: null,
  ...nowhere,
  is_default: true,
  meta: {},
  ...MADE,
}

export const examplePaymentLink = {
  id: LINK,
  common_name: 'Coffee',
  amount: 12.5,
  active: true,
  link_meta: { memo: 'A bag of beans', isTotalEditable: false },
  meta: {},
  url: `https://pay.example.com/pay/${LINK}`,
  qr_code_url: `https://pay.example.com/pay/${LINK}/qr.svg`,
  total_sales: 37.5,
  total_transactions: 3,
  ...times('2026-03-07T09:00:00.000Z'),
}

/** All of its fields, in the order in which they are answered. */
const payment = {
  id: CHARGE,
  type: 'charge',
  method: 'card',
  status: 'SUCCESS',
  success: true,
  message: 'Approved',
  total: 12.5,
  total_refunded: 5,
  currency: 'USD',
  pre_auth: false,
  is_captured: true,
  is_voided: false,
  is_voidable: false,
  is_refundable: true,
  is_manual: false,
  source: null,
  channel: null,
  customer_id: CUSTOMER,
  payment_method_id: CARD,
  invoice_id: null,
  schedule_id: null,
  payment_link_id: null,
  reference_id: null,
  auth_id: `sbx_${ID}000000000006`,
  batch_id: BATCH,
  batched_at: '2026-03-07T01:00:00.000Z',
  settled_at: '2026-03-07T01:00:00.000Z',
  idempotency_id: 'order-1',
  gateway_name: 'sandbox',
  last_four: '1111',
  meta: { poNumber: '4711' },
  receipt_email_at: null,
  receipt_sms_at: null,
  ...times('2026-03-08T12:00:00.250Z'),
}

const refund = {
  ...payment,
  id: `${ID}000000000005`,
  type: 'refund',
  total: 5,
  total_refunded: 0,
  is_captured: false,
  is_refundable: false,
  reference_id: CHARGE,
  auth_id: `sbx_${ID}000000000007`,
  batch_id: null,
  batched_at: null,
  settled_at: null,
  idempotency_id: null,
  meta: {},
  created_at: '2026-03-08T12:00:00.000Z',
  child_transactions: [],
  child_captures: [],
}

export const exampleTransaction = {
  ...payment,
  customer: exampleCustomer,
  payment_method: examplePaymentMethod,
  child_transactions: [refund],
  child_captures: [],
}

export const exampleEvent = {
  id: `${ID}000000000008`,
  type: 'create_customer',
  resource_id: CUSTOMER,
  sequence: 1,
  created_at: MADE.created_at,
  data: exampleCustomer,
}

export const exampleProblem = {
  error: 'invalid_request',
  message: 'total must be at least 0.01',
  errors: { total: ['must be at least 0.01'] },
  request_id: `${ID}00000000000f`,
}
