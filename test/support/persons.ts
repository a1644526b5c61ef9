// Operators with their own passwords, as they sign in to a test service.

import { createHmac, scryptSync } from 'node:crypto'
import { COOKIE } from '../../src/console/cookies.ts'
import type { Role } from '../../src/core/role.ts'
import { addOperator } from '../../src/operators/manage-operators.ts'
import { findSession, openSession } from '../../src/operators/session.ts'
import type { World } from '../../src/world.ts'
import type { SignedIn } from './operator.ts'
import type { TestService } from './test-service.ts'

/** All operators in these tests have it. */
export const OWN_PASSWORD = 'wick oil brass glass'

/** Each try of a password costs what its stored hash names: this one 2 ms, and the service's 80. */
const CHEAP_HASH = ['scrypt', 10, 'c2FsdA', hashAt(10, 'salt')].join('$')

const BY = { name: 'command line', address: 'this machine' }

export interface Person {
  readonly id: string
  readonly name: string
}

let made = 0

/** Makes one under a new name. */
export async function newPerson(world: World, role: Role = 'operate'): Promise<Person> {
  made += 1
  const { id, name } = await addOperator(world, BY, { name: `Person ${made}`, role })
  const data = { password: CHEAP_HASH, linkHash: null, linkExpiresAt: null }
  await world.db.prisma.operator.update({ where: { id }, data })
  return { id, name }
}

function hashAt(cost: number, salt: string): string {
  return scryptSync(OWN_PASSWORD, salt, 32, { N: 2 ** cost, r: 8, p: 1 }).toString('base64url')
}

export async function sessionOf(world: World, { id, name }: Person): Promise<SignedIn> {
  const secret = await openSession(world, { id, name, address: '127.0.0.1' })
  const operator = await findSession(world, secret)
  if (operator === undefined) throw new Error('there is no session')
  return { cookie: `${COOKIE}=${secret}`, formToken: operator.formToken }
}

export function onceOf(url: string): string {
  return new URL(url).searchParams.get('once') ?? ''
}

let addresses = 0

/** A form without a session, by default from an address without earlier attempts. */
export function sendStranger(
  { app }: Pick<TestService, 'app'>,
  url: string,
  fields: Readonly<Record<string, string>>,
) {
  addresses += 1
  return app.inject({
    method: 'POST',
    url,
    remoteAddress: `10.9.${addresses >> 8}.${addresses & 255}`,
    headers: {
      accept: 'text/html',
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
    },
    payload: new URLSearchParams(fields).toString(),
  })
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The code of an authenticator app, written from RFC 6238 without a library. */
export function codeAt(secret: string, at: Date): string {
  const bits = [...secret].map((c) => BASE32.indexOf(c).toString(2).padStart(5, '0')).join('')
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(at.getTime() / 30_000)))
  const mac = createHmac('sha1', key).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 15
  const number = (mac.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000
  return String(number).padStart(6, '0')
}
