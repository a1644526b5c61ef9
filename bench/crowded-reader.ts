// Reads the lists and the file of a crowded account, and lists of the console, as a merchant's
// system and an operator do.

import type pg from 'pg'
import { hashOf, newKey } from '../src/accounts/key.ts'
import { newId } from '../src/outside/identity.ts'
import { CROWDED } from '../test/support/transaction-crowd.ts'

export interface CrowdedReader {
  /** The same pages each time. */
  lists(): Promise<void>
  /** All transactions as CSV, or until the signal. Returns how many rows came. */
  download(signal?: AbortSignal): Promise<number>
}

/** A page of each kind: the newest, far down, by other orders, and with filters. */
const PATHS = [
  '/transaction',
  '/transaction?page=100',
  '/transaction?sort=total&order=DESC&page=20',
  '/transaction?sort=updated_at&page=50',
  '/transaction?status=FAILED&type=charge',
  '/transaction?minTotal=100&maxTotal=200',
  '/transaction?keywords=visa',
  '/customer?sort=updated_at',
  '/customer?keywords=ada',
  '/batch',
] as const

const PAGES = ['/admin/transactions', '/admin/customers', '/admin/batches'] as const

/** Enough that the kernel's hundredths of a second say something. */
const TIMES = 10

export const PAGES_READ = TIMES * (PATHS.length + PAGES.length)

/** A team, an account and a key for the rows, which have none: copies of the seeded ones. */
const COPY = `
  WITH own AS MATERIALIZED (SELECT * FROM account WHERE mode = 'sandbox' LIMIT 1),
  teams AS (
    INSERT INTO team SELECT (jsonb_populate_record(null::team,
      to_jsonb(t) || jsonb_build_object('id', $1::uuid, 'name', 'Crowded'))).*
    FROM own JOIN team t ON t.id = own.team_id
  ),
  accounts AS (
    INSERT INTO account SELECT (jsonb_populate_record(null::account, to_jsonb(own)
      || jsonb_build_object('id', $2::uuid, 'team_id', $1::uuid))).*
    FROM own
  ),
  keys AS (
    INSERT INTO api_key SELECT (jsonb_populate_record(null::api_key, to_jsonb(k)
      || jsonb_build_object('id', $3::uuid, 'account_id', $2::uuid))).*
    FROM (SELECT k.* FROM api_key k JOIN own ON own.id = k.account_id LIMIT 1) k
  )
  INSERT INTO key_hash (hash, account_id, key_id) VALUES (decode($4, 'hex'), $2, $3)`

/** A key of the crowded account. The service has made its own first team by now. */
export async function makeCrowdedKey(client: pg.Client): Promise<string> {
  const key = newKey('sandbox')
  await client.query(COPY, [newId(), CROWDED, newId(), hashOf(key).toString('hex')])
  return key
}

export const PASSWORD = 'lamps are lit at dusk'

async function signedIn(address: string): Promise<string> {
  const answer = await fetch(`${address}/admin/sign-in`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({ name: 'Ada', password: PASSWORD }),
    redirect: 'manual',
  })
  const [cookie] = answer.headers.getSetCookie()
  if (cookie === undefined) throw new Error(`no session: ${answer.status}`)
  return cookie.slice(0, cookie.indexOf(';'))
}

export async function openCrowdedReader(address: string, key: string): Promise<CrowdedReader> {
  const asMerchant = { authorization: `Bearer ${key}` }
  const asOperator = { cookie: await signedIn(address) }

  async function read(path: string, headers: HeadersInit): Promise<void> {
    const answer = await fetch(address + path, { headers })
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    await answer.arrayBuffer()
  }

  return {
    async lists() {
      for (let time = 0; time < TIMES; time += 1) {
        for (const path of PATHS) await read(path, asMerchant)
        for (const path of PAGES) await read(path, asOperator)
      }
    },
    async download(signal) {
      let rows = 0
      try {
        const path = '/transaction?export=csv&all=1'
        const { body, status } = await fetch(address + path, {
          headers: asMerchant,
          ...(signal === undefined ? {} : { signal }),
        })
        if (status !== 200 || body === null) throw new Error(`${path}: ${status}`)
        for await (const piece of body) rows += linesIn(piece)
      } catch (error) {
        if (signal?.aborted !== true) throw error
      }
      return rows
    },
  }
}

function linesIn(piece: Uint8Array): number {
  return piece.reduce((lines, byte) => lines + (byte === 10 ? 1 : 0), 0)
}
