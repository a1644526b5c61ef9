// The refusals of any operation, each with a request that causes it: the operation's own sample
// with one fault.

import { Admission, MOST_QUEUED, MOST_WORKING } from '../../src/core/admission.ts'
import { ExportPlaces } from '../../src/core/export-places.ts'
import { DatabaseAway } from '../../src/db/failure.ts'
import { type App, buildApp } from '../../src/http/app.ts'
import { keepAdvancing } from './advancing-clock.ts'
import type { Named, Parameter, Schema } from './document.ts'
import { JSON_TYPE, type Sent, withQuery } from './requests.ts'
import type { Sample, SampleMerchant } from './samples.ts'
import { setTeam } from './set-team.ts'
import { call, type Merchant } from './test-service.ts'

/** A request, and the app that gets it if that is not the service's own. */
export interface Provoking extends Sent {
  readonly app?: App
}

export type Provoke = (named: Named) => Promise<Provoking>

const MIB = 1024 * 1024
const UNKNOWN_ID = '01941f29-7c00-7000-8000-000000000001'
const UNKNOWN_LINK = '0'.repeat(32)

/** This key was sent with another request before. */
const TAKEN_KEY = { 'idempotency-key': 'taken' }

export interface Anywhere extends AsyncDisposable {
  readonly provoke: Readonly<Record<string, Provoke>>
}

/** The requests by the refusal that they cause. */
export async function refusedAnywhere(seller: SampleMerchant): Promise<Anywhere> {
  const { service, merchant } = seller
  const away = await brokenApp(seller, () => new DatabaseAway(undefined))
  const broken = await brokenApp(seller, () => new Error('broken by the test'))
  const exporting = await exportingApp(seller)
  const busy = await busyApp(seller)
  const inactive = await merchantWith(seller, 'status=inactive')
  const disabled = await merchantWith(seller, 'enabled=false')
  const limited = await merchantWith(seller, 'sandbox_rate_limit=1')
  const advancing = await service.merchant()
  await call(service.app, 'POST', '/customer', { ...merchant.headers, ...TAKEN_KEY }, OTHER)

  const samples = new Map<string, Sample>()

  /** The sample of a caller. A refused request uses nothing up: one sample serves for all. */
  async function sample(named: Named, whose: Merchant = merchant): Promise<Provoking> {
    const { method, route } = named
    const known = samples.get(route) ?? (await seller.sampleOf(named))
    samples.set(route, known)
    const { url, body } = known
    const plain = { method, url, headers: { ...whose.headers, ...JSON_TYPE } }
    return body === undefined ? plain : { ...plain, payload: JSON.stringify(body) }
  }
  const as = (whose: Merchant) => (named: Named) => sample(named, whose)
  const on = (app: App) => async (named: Named) => ({ ...(await sample(named)), app })
  const saying = (payload: string, type = JSON_TYPE['content-type']) => {
    return async (named: Named) => {
      const { headers, ...rest } = await sample(named)
      return { ...rest, headers: { ...headers, 'content-type': type }, payload }
    }
  }
  const withId = (idOf: (kind: string) => string) => async (named: Named) => {
    const place = idPlaceOf(named)
    const id = idOf(place.kind)
    if (place.in === 'path')
      return { ...(await sample(named)), url: named.path.replace('{id}', id) }
    const sent = await sample(named)
    if (place.in === 'query') return { ...sent, url: `${named.path}?${place.name}=${id}` }
    const body = JSON.parse(String(sent.payload))
    return { ...sent, payload: JSON.stringify({ ...body, [place.name]: id }) }
  }

  return {
    provoke: {
      '400 invalid_request': async (named) => {
        const { url, ...rest } = await sample(named)
        return { ...rest, url: withQuery(url, 'misspelt=1') }
      },
      '400 card_data_not_accepted': saying('{"notes":"4111 1111 1111 1111"}'),
      '400 invalid_json': saying('{'),
      '400 invalid_id': withId(() => 'x'),
      '401 unauthorized': async (named) => ({ ...(await sample(named)), headers: JSON_TYPE }),
      '403 team_inactive': as(inactive),
      '403 team_disabled': as(disabled),
      '404 not_found': withId((kind) => (kind === 'link_id' ? UNKNOWN_LINK : UNKNOWN_ID)),
      // Each time anew: on a busy machine the requests take longer than a minute.
      '409 clock_advancing': async (named) => {
        await keepAdvancing(service, advancing)
        return sample(named, advancing)
      },
      '409 idempotency_conflict': async (named) => {
        const { headers, ...rest } = await sample(named)
        return { ...rest, headers: { ...headers, ...TAKEN_KEY } }
      },
      '413 body_too_large': saying(`"${'a'.repeat(MIB)}"`),
      '415 unsupported_media_type': saying('a=1', 'application/x-www-form-urlencoded'),
      '429 rate_limited': async (named) => {
        await call(service.app, 'GET', '/self', limited.headers)
        return sample(named, limited)
      },
      '429 too_many_exports': async (named) => {
        const { url, ...rest } = await sample(named)
        return { ...rest, url: withQuery(url, 'export=csv'), app: exporting }
      },
      '500 internal_error': on(broken),
      '503 unavailable': on(away),
      '503 overloaded': on(busy),
    },
    async [Symbol.asyncDispose]() {
      await away.close()
      await exporting.close()
      await broken.close()
      await busy.close()
    },
  }
}

/** A body unlike any example. */
const OTHER = { firstname: 'Somebody else' }

async function merchantWith({ service }: SampleMerchant, change: string): Promise<Merchant> {
  const merchant = await service.merchant()
  await setTeam(service.world, merchant.teamId, [change])
  return merchant
}

/** An API server with as much work as it admits. */
async function busyApp({ service }: SampleMerchant): Promise<App> {
  const admission = new Admission({ waitMs: 0, nowMs: () => 0, random: Math.random })
  for (let n = 0; n < MOST_WORKING + MOST_QUEUED; n += 1) void admission.enter('', 'other')
  const app = await buildApp({ ...service.world, admission })
  await app.ready()
  return app
}

/** An API server whose database answers every statement with this error. */
async function brokenApp({ service }: SampleMerchant, fault: () => Error): Promise<App> {
  const fail = () => Promise.reject(fault())
  const db = { ...service.world.db, ask: fail, query: fail }
  const app = await buildApp({ ...service.world, db })
  await app.ready()
  return app
}

/** An API server that is making as many files for the merchant as it may. */
async function exportingApp({ service, merchant }: SampleMerchant): Promise<App> {
  const exports = new ExportPlaces()
  for (let n = 0; n < 4; n += 1) exports.take(merchant.accountId)
  const app = await buildApp({ ...service.world, exports })
  await app.ready()
  return app
}

/** The place of an operation's id: in its path, or else in its body or its query. */
function idPlaceOf({ route, operation }: Named) {
  const { parameters = [], requestBody } = operation
  const properties = requestBody?.content['application/json']?.schema.properties ?? {}
  const fields = Object.entries(properties as Record<string, Schema>).map(([name, schema]) => ({
    in: 'body' as const,
    name,
    schema,
  }))
  const places: readonly (Parameter | (typeof fields)[number])[] = [...parameters, ...fields]
  const found = places.find(({ schema }) => /^(link_)?id$/.test(String(schema['x-kind'])))
  if (found === undefined) throw new Error(`${route} takes no id`)
  return { in: found.in, name: found.name, kind: String(found.schema['x-kind']) }
}
