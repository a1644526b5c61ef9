// Every route of the API server, and the key that it needs. A new one is added here, or tests fail.

export type Need = 'no key' | 'a key' | 'a key of a team in good standing'

export const ROUTES: Readonly<Record<string, Need>> = {
  'GET /healthz': 'no key',
  'GET /readyz': 'no key',
  'GET /metrics': 'no key',
  'GET /openapi.json': 'no key',
  'GET /self': 'a key',
  'GET /customer': 'a key',
  'POST /customer': 'a key',
  'GET /customer/{id}': 'a key',
  'PUT /customer/{id}': 'a key',
  'DELETE /customer/{id}': 'a key',
  'GET /customer/{id}/payment-method': 'a key',
  'GET /payment-method': 'a key',
  'POST /payment-method': 'a key',
  'GET /payment-method/{id}': 'a key',
  'PUT /payment-method/{id}': 'a key',
  'DELETE /payment-method/{id}': 'a key',
  'POST /charge': 'a key of a team in good standing',
  'GET /transaction/{id}': 'a key of a team in good standing',
  'PUT /transaction/{id}': 'a key of a team in good standing',
  'GET /event': 'a key',
  'GET /webhook': 'a key',
  'POST /webhook': 'a key',
  'GET /webhook/{id}': 'a key',
  'PUT /webhook/{id}': 'a key',
  'DELETE /webhook/{id}': 'a key',
  'POST /webhook/{id}/roll-secret': 'a key',
  'GET /webhook/{id}/delivery': 'a key',
  'POST /webhook/{id}/test': 'a key',
  'POST /webhook/{id}/replay': 'a key',
  'GET /batch': 'a key',
  'GET /batch/{id}': 'a key',
  'GET /batch/{id}/transaction': 'a key',
  'GET /query/deposit': 'a key',
  'GET /query/depositDetail': 'a key',
  'GET /dispute': 'a key',
  'GET /dispute/{id}': 'a key',
  'GET /reversal': 'a key',
  'GET /reversal/{id}': 'a key',
  'GET /transaction': 'a key of a team in good standing',
  'POST /transaction': 'a key of a team in good standing',
  'POST /transaction/{id}/void': 'a key of a team in good standing',
  'POST /transaction/{id}/refund': 'a key of a team in good standing',
  'POST /transaction/{id}/void-or-refund': 'a key of a team in good standing',
  'POST /transaction/{id}/capture': 'a key of a team in good standing',
  'GET /transaction/{id}/related': 'a key of a team in good standing',
  'GET /transaction/{id}/funding': 'a key of a team in good standing',
  'GET /transaction/{id}/receipt': 'a key of a team in good standing',
  'PUT /transaction/{id}/receipt/email': 'a key of a team in good standing',
  'POST /transaction/{id}/receipt/email': 'a key of a team in good standing',
  'PUT /transaction/{id}/receipt/sms': 'a key of a team in good standing',
  'POST /transaction/{id}/receipt/sms': 'a key of a team in good standing',
  'PUT /transaction/{id}/receipt-email': 'a key of a team in good standing',
  'POST /transaction/{id}/receipt-email': 'a key of a team in good standing',
  'PUT /transaction/{id}/receipt-sms': 'a key of a team in good standing',
  'POST /transaction/{id}/receipt-sms': 'a key of a team in good standing',
  'POST /sandbox/transaction/{id}/dispute': 'a key',
  'POST /sandbox/transaction/{id}/reversal': 'a key',
  'GET /sandbox/clock': 'a key',
  'POST /sandbox/clock': 'a key',
  'DELETE /sandbox/clock': 'a key',
  'GET /invoice/schedule': 'a key',
  'POST /invoice/schedule': 'a key',
  'GET /invoice/schedule/{id}': 'a key',
  'PUT /invoice/schedule/{id}': 'a key',
  'DELETE /invoice/schedule/{id}': 'a key',
  'GET /invoice': 'a key',
  'POST /invoice': 'a key',
  'GET /invoice/{id}': 'a key',
  'PUT /invoice/{id}': 'a key',
  'DELETE /invoice/{id}': 'a key',
  'POST /invoice/{id}/pay': 'a key of a team in good standing',
  'POST /invoice/{id}/pay/cash': 'a key of a team in good standing',
  'POST /invoice/{id}/pay/check': 'a key of a team in good standing',
  'PUT /invoice/{id}/send/email': 'a key',
  'POST /invoice/{id}/send/email': 'a key',
  'PUT /invoice/{id}/send/sms': 'a key',
  'POST /invoice/{id}/send/sms': 'a key',
  'GET /item': 'a key',
  'POST /item': 'a key',
  'GET /item/{id}': 'a key',
  'PUT /item/{id}': 'a key',
  'DELETE /item/{id}': 'a key',
  'POST /payment-link': 'a key',
  'GET /query/payment-links': 'a key',
  'POST /query/payment-links': 'a key',
  'DELETE /query/payment-links': 'a key',
  'GET /query/payment-links/{id}': 'a key',
  'PUT /query/payment-links/{id}': 'a key',
  'DELETE /query/payment-links/{id}': 'a key',
  'GET /pay/{id}/qr.svg': 'no key',
  'POST /provider/stripe': 'no key',
  'POST /provider/checkout': 'no key',
  'POST /provider/twilio/status': 'no key',
  'POST /provider/twilio/message': 'no key',
}

/** The kinds that an {id} may name, each with the beginnings of its paths. */
const PATHS = {
  customer: ['/customer/'],
  payment_method: ['/payment-method/'],
  payment_link: ['/query/payment-links/', '/pay/'],
  transaction: ['/transaction/', '/sandbox/transaction/'],
  schedule: ['/invoice/schedule/'],
  invoice: ['/invoice/'],
  item: ['/item/'],
  batch: ['/batch/'],
  dispute: ['/dispute/'],
  reversal: ['/reversal/'],
  webhook: ['/webhook/'],
} as const

export type Kind = keyof typeof PATHS

export interface Route {
  /** The route as in the table. */
  readonly route: string
  readonly method: string
  readonly need: Need
  /** The kind of its {id}; undefined if it has none. */
  readonly kind: Kind | undefined
  /** Its path, by default with an unknown id. */
  at(id?: string): string
}

export const UNKNOWN_IDS: Readonly<Record<Kind, string>> = {
  customer: '01941f29-7c00-7000-8000-000000000001',
  payment_method: '01941f29-7c00-7000-8000-000000000001',
  payment_link: '0'.repeat(32),
  transaction: '01941f29-7c00-7000-8000-000000000001',
  schedule: '01941f29-7c00-7000-8000-000000000001',
  invoice: '01941f29-7c00-7000-8000-000000000001',
  item: '01941f29-7c00-7000-8000-000000000001',
  batch: '01941f29-7c00-7000-8000-000000000001',
  dispute: '01941f29-7c00-7000-8000-000000000001',
  reversal: '01941f29-7c00-7000-8000-000000000001',
  webhook: '01941f29-7c00-7000-8000-000000000001',
}

/** Its query names the resource. */
const DETAIL = '/query/depositDetail'

export const routeTable: readonly Route[] = Object.entries(ROUTES).map(([route, need]) => {
  const [method = '', path = ''] = route.split(' ')
  const kind = kindOf(path)
  const unknown = kind === undefined ? '' : UNKNOWN_IDS[kind]
  const named = path === DETAIL ? `${path}?batch_id={id}` : path
  return { route, method, need, kind, at: (id = unknown) => named.replace('{id}', id) }
})

function kindOf(path: string): Kind | undefined {
  if (path === DETAIL) return 'batch'
  if (!path.includes('{')) return undefined
  const known = Object.entries(PATHS) as [Kind, readonly string[]][]
  const found = known.find(([, starts]) => starts.some((start) => path.startsWith(`${start}{id}`)))
  if (found === undefined) throw new Error(`say in PATHS what the id of ${path} names`)
  return found[0]
}
