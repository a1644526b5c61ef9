import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sqlState } from '../../src/db/failure.ts'
import { FULL_LINK, linkEvents } from '../support/links.ts'
import { expectRefusal } from '../support/requests.ts'
import {
  type Answer,
  call,
  type Merchant,
  openTestService,
  type TestService,
} from '../support/test-service.ts'

describe('deleting a payment link', () => {
  let service: TestService
  let merchant: Merchant

  beforeAll(async () => {
    service = await openTestService({ queues: [] })
    merchant = await service.merchant()
  })
  afterAll(() => service.close())

  const ask = (method: 'GET' | 'PUT' | 'DELETE', id: string, body?: object) =>
    call(service.app, method, `/query/payment-links/${id}`, merchant.headers, body)

  async function made(body: object = FULL_LINK): Promise<Answer['body']> {
    const answer = await call(service.app, 'POST', '/payment-link', merchant.headers, body)
    expect(answer.status).toBe(200)
    return answer.body
  }

  it('is permanent: the link is not found again', async () => {
    const kept = await made({ common_name: 'Kept' })
    const gone = await made()
    const answer = await ask('DELETE', gone.id)
    expect(answer).toMatchObject({ status: 200, body: { status: 200 } })
    expect(answer.body).toEqual({ status: 200, message: expect.stringMatching(/\w/) })
    for (const again of [
      await ask('GET', gone.id),
      await ask('PUT', gone.id, { active: true }),
      await ask('PUT', gone.id, {}),
      await ask('DELETE', gone.id),
    ]) {
      expectRefusal(again, 404, 'not_found')
    }
    const url = '/query/payment-links?limit=200'
    const { body } = await call(service.app, 'GET', url, merchant.headers)
    const ids = body.data.map((link: { id: string }) => link.id)
    expect(ids).toContain(kept.id)
    expect(ids).not.toContain(gone.id)
  })

  it('writes one event, with the link as it was', async () => {
    const before = await made()
    await ask('DELETE', before.id)
    await ask('DELETE', before.id)
    const [, deletion, ...more] = await linkEvents(service, before.id)
    expect(more).toEqual([])
    expect(deletion).toMatchObject({
      type: 'delete_payment_link',
      sequence: 2,
      snapshot: { ...before, updated_at: expect.any(String) },
      same_commit: true,
    })
  })

  it('is done by one of several simultaneous requests, and by no other', async () => {
    const { id } = await made()
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask('DELETE', id)))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, 404, 404, 404, 404])
    expect(await linkEvents(service, id)).toHaveLength(2)
  })

  it('is refused without an id, with a message that one is needed', async () => {
    for (const url of ['/query/payment-links', '/query/payment-links/']) {
      const answer = await call(service.app, 'DELETE', url, merchant.headers)
      expectRefusal(answer, 400, 'invalid_request', ['id'])
    }
  })

  it('cannot be undone, not even in the database', async () => {
    const { id } = await made()
    const deletedAt = (value: string) =>
      service.world.db.query(`UPDATE payment_link SET deleted_at = ${value} WHERE id = $1`, [id])
    await deletedAt('created_at')
    const refused = await deletedAt('NULL').catch(sqlState)
    expect(refused).toBe('23514')
    expectRefusal(await ask('GET', id), 404, 'not_found')
  })
})
