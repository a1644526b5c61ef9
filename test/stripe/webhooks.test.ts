import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type Stripe from 'stripe'
import { beforeEach, describe, expect, it } from 'vitest'
import { clientOf, PAYMENT } from './client.ts'
import { openStripe, type StripeStandIn } from './stand-in/open.ts'

const HOUR = 60 * 60 * 1000

interface Received {
  readonly payload: string
  readonly signature: string
}

let standIn: StripeStandIn
let client: ReturnType<typeof clientOf>
let received: Received[]
let endpointUrl: string
/** The endpoint answers each delivery with it. */
let status: number

beforeEach(async () => {
  received = []
  status = 200
  standIn = await openStripe()
  client = clientOf(standIn)
  const endpoint = await openEndpoint()
  const { port } = endpoint.address() as AddressInfo
  endpointUrl = `http://127.0.0.1:${port}/provider/stripe`
  standIn.events.addEndpoint({ url: endpointUrl })
  return async () => {
    await standIn[Symbol.asyncDispose]()
    endpoint.closeAllConnections()
    endpoint.close()
  }
})

async function openEndpoint(): Promise<Server> {
  const server = createServer(async (request, response) => {
    const payload = Buffer.concat(await request.toArray()).toString('utf8')
    received.push({ payload, signature: `${request.headers['stripe-signature']}` })
    response.writeHead(status).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

function read({ payload, signature }: Received, secret = standIn.webhookSecret): Stripe.Event {
  return client.webhooks.constructEvent(payload, signature, secret)
}

const typesReceived = () => received.map((one) => read(one).type)

/** A payment causes four events at once. */
async function pay(): Promise<string> {
  const { id } = await client.paymentIntents.create(PAYMENT, { idempotencyKey: 'a' })
  await standIn.events.idle()
  return id
}

describe('a webhook', () => {
  it('is signed so that the SDK accepts it, in the version of the account', async () => {
    const id = await pay()
    const succeeded = received
      .map((one) => read(one))
      .find(({ type }) => type === 'payment_intent.succeeded')
    expect(succeeded).toMatchObject({
      api_version: '2024-06-20',
      data: { object: { id, status: 'succeeded' } },
      request: { idempotency_key: 'a', id: expect.stringMatching(/^req_/) },
    })
    expect(succeeded?.account).toBeUndefined()
  })

  it('is refused with another secret, another payload or an old time', async () => {
    await pay()
    const [first] = received
    if (first === undefined) throw new Error('nothing came')
    expect(() => read(first, 'whsec_other')).toThrow(/signature/)
    const forged = { ...first, payload: first.payload.replace('500', '50000') }
    expect(() => read(forged)).toThrow(/signature/)
    const late = Date.now() + 302_000
    const { payload, signature } = first
    expect(() =>
      client.webhooks.constructEvent(
        payload,
        signature,
        standIn.webhookSecret,
        300,
        undefined,
        late,
      ),
    ).toThrow(/tolerance/)
  })

  it('shows the object in its former state, and is listed by the API too', async () => {
    const { id } = await client.paymentIntents.create({ ...PAYMENT, capture_method: 'manual' })
    await client.paymentIntents.capture(id)
    const { data } = await client.events.list({ type: 'payment_intent.amount_capturable_updated' })
    expect(data).toMatchObject([{ data: { object: { id, status: 'requires_capture' } } }])
    expect((await client.events.retrieve(`${data[0]?.id}`)).id).toBe(data[0]?.id)
  })

  it('can be late, or never come', async () => {
    standIn.events.hold()
    await pay()
    expect(received).toEqual([])
    const { held } = standIn.events
    expect(held.map(({ type }) => type)).toContain('payment_intent.succeeded')
    await standIn.events.release()
    expect(received).toHaveLength(held.length)
    expect(standIn.events.held).toEqual([])
  })

  it('can come out of order, and twice', async () => {
    standIn.events.hold()
    await pay()
    const held = standIn.events.held
    const backwards = held.toReversed()
    await standIn.events.deliver(...backwards)
    expect(typesReceived()).toEqual(backwards.map(({ type }) => type))
    await standIn.events.deliver(...held.slice(0, 1))
    const ids = received.map((one) => read(one).id)
    expect(ids.filter((id) => id === held[0]?.id)).toHaveLength(2)
  })

  it('can be forged', async () => {
    standIn.events.hold()
    await pay()
    const [event] = standIn.events.held
    if (event === undefined) throw new Error('nothing happened')
    await standIn.events.forge(event)
    expect(received).toHaveLength(1)
    expect(() => received.map((one) => read(one))).toThrow(/signature/)
  })

  it('is sent again for three days until it is accepted', async () => {
    status = 500
    const { id } = await client.customers.create()
    await standIn.events.idle()
    expect(received).toHaveLength(1)
    await standIn.advance(HOUR)
    expect(received).toHaveLength(2)
    status = 200
    await standIn.advance(2 * HOUR)
    expect(received).toHaveLength(3)
    await standIn.advance(100 * HOUR)
    expect(standIn.events.deliveries.map((one) => one.status)).toEqual([500, 500, 200])
    expect(received.map((one) => read(one).data.object)).toMatchObject([{ id }, { id }, { id }])
  })

  it('is given up after three days', async () => {
    status = 500
    await client.customers.create()
    await standIn.events.idle()
    for (let hours = 0; hours < 200; hours += 10) await standIn.advance(10 * HOUR)
    const { length } = received
    await standIn.advance(100 * HOUR)
    expect(received).toHaveLength(length)
    expect(length).toBe(7)
  })

  it('is signed at the time that a test sets', async () => {
    const at = new Date('2030-01-31T12:00:00Z')
    await using later = await openStripe({
      webhooks: [{ url: endpointUrl }],
      webhooksSignedAt: () => at,
    })
    await clientOf(later).customers.create()
    await later.events.idle()
    expect(received[0]?.signature).toContain(`t=${at.getTime() / 1000},`)
  })

  it('to an endpoint that hangs does not keep the stand-in open', async () => {
    const silent = createServer(() => {})
    silent.listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const other = await openStripe({ webhooks: [{ url: `http://127.0.0.1:${port}/` }] })
    await clientOf(other).customers.create()
    await other[Symbol.asyncDispose]()
    expect(other.events.deliveries).toMatchObject([{ status: undefined }])
    silent.closeAllConnections()
    silent.close()
  })

  it('of a connected account says so, and goes to the endpoints for those accounts', async () => {
    const own = await openEndpoint()
    const { port } = own.address() as AddressInfo
    standIn.events.addEndpoint({
      url: `http://127.0.0.1:${port}/`,
      secret: 'whsec_connected',
      listensTo: 'connected accounts',
    })
    await client.customers.create({}, { stripeAccount: 'acct_one' })
    await client.customers.create()
    await standIn.events.idle()
    const urls = standIn.events.deliveries.map(({ url }) => url.endsWith('/provider/stripe'))
    expect(urls.toSorted()).toEqual([false, true, true])
    const [first, second] = received.filter(({ payload }) => payload.includes('acct_one'))
    if (first === undefined || second === undefined) throw new Error('one endpoint missed it')
    const accepts = (one: Received, secret: string) => {
      try {
        return read(one, secret).account === 'acct_one'
      } catch {
        return false
      }
    }
    const accepted = [first, second].filter((one) => accepts(one, 'whsec_connected'))
    expect(accepted).toHaveLength(1)
    own.closeAllConnections()
    own.close()
  })
})
