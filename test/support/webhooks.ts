// A merchant's endpoints, made through the API, and their due deliveries.

import {
  type Answer,
  call,
  type Merchant,
  openTestService,
  type TestService,
} from './test-service.ts'

/** Nothing listens here: a test that needs an endpoint opens a receiver. */
export const NOWHERE = 'http://127.0.0.1:9/events'

export const SECRET = /^whsec_[A-Za-z0-9+/]{32}$/

export const UNKNOWN_WEBHOOK = '01941f29-7c00-7000-8000-000000000001'

/** By default without workers; private addresses are allowed. */
export function openWebhookService(
  options: Parameters<typeof openTestService>[0] = {},
): Promise<TestService> {
  const settings = { WEBHOOK_ALLOW_PRIVATE: 'true', ...options.settings }
  return openTestService({ queues: [], ...options, settings })
}

export interface TestWebhooks {
  readonly ask: (
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path?: string,
    body?: object,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Answer>
  /** Makes one and answers it; by default it gets every event. */
  readonly made: (body?: object) => Promise<Answer['body']>
}

/** `path` continues from `/webhook`. */
export function webhooksOf(service: TestService, merchant: Merchant): TestWebhooks {
  const ask: TestWebhooks['ask'] = (method, path = '', body = undefined, headers = {}) =>
    call(service.app, method, `/webhook${path}`, { ...merchant.headers, ...headers }, body)
  return {
    ask,
    async made(body = {}) {
      const answer = await ask('POST', '', { target_url: NOWHERE, event: '*', ...body })
      if (answer.status !== 200) throw new Error(`no webhook: ${answer.text}`)
      return answer.body
    },
  }
}

export interface DueWebhook {
  readonly subject_id: string
  readonly request: string
  readonly status: string
  readonly due_at: Date | null
  readonly created_at: Date
  readonly request_id: string
  readonly type: string
  readonly same_commit: boolean
}

/** In the order of their ids, each with its event. */
export async function webhooksTo(
  service: TestService,
  webhook: string,
): Promise<readonly DueWebhook[]> {
  const rows = await service.world.db.query(
    `SELECT d.subject_id, d.request, d.status, d.due_at, d.created_at, d.request_id, e.type,
       d.xmin = e.xmin AS same_commit
     FROM delivery d JOIN event e ON e.account_id = d.account_id AND e.id = d.subject_id
     WHERE d.channel = 'webhook' AND d.lane = $1 AND d.recipient = $1::text AND d.subject = 'event'
     ORDER BY d.id`,
    [webhook],
  )
  return rows as unknown as readonly DueWebhook[]
}

/** One event each millisecond from an instant on, by their ids, without deliveries. */
export async function insertEventSeries(
  service: TestService,
  accountId: string,
  { count, from, type = 'create_customer' }: { count: number; from: Date; type?: string },
): Promise<void> {
  await service.world.db.query(
    `INSERT INTO event (account_id, id, type, resource_id, sequence, snapshot, request_id, created_at)
     SELECT $1::uuid, (lpad(to_hex($3::bigint + n), 12, '0') || '7000' || '8000'
         || right(md5($1::uuid || $4::text || n), 12))::uuid,
       $4::text, gen_random_uuid(), 1, '{}', 'r', current_timestamp
     FROM generate_series(0, $2::integer - 1) AS n`,
    [accountId, count, from.getTime(), type],
  )
}
