// Every route of the intake, and what it asks of a key: a new one must be put here before anybody
// can use it.

const UNKNOWN = '01941f29-7c00-7000-8000-000000000001'

type Need = 'no key' | 'a key' | 'a key of a team in good standing'

export const ROUTES: Readonly<Record<string, Need>> = {
  'GET /healthz': 'no key',
  'GET /readyz': 'no key',
  'GET /openapi.json': 'no key',
  'GET /self': 'a key',
  'GET /customer': 'a key',
  'POST /customer': 'a key',
  'GET /payment-method': 'a key',
  'POST /payment-method': 'a key',
  'POST /charge': 'a key of a team in good standing',
  'GET /transaction/{id}': 'a key of a team in good standing',
}

export const routeTable = Object.entries(ROUTES).map(([route, need]) => {
  const [method = '', url = ''] = route.split(' ')
  return { route, method, url: url.replace('{id}', UNKNOWN), need }
})
