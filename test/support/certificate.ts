// A self-signed certificate for a server in this process; nothing of it is stored.

import { generateKeyPairSync, sign } from 'node:crypto'
import { isIPv4 } from 'node:net'

export interface Certificate {
  readonly key: string
  readonly cert: string
}

const SHA256_WITH_ECDSA = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]
const COMMON_NAME = [0x55, 0x04, 0x03]
const ALTERNATIVE_NAMES = [0x55, 0x1d, 0x11]

const DAY_MS = 24 * 60 * 60 * 1_000

/** For a server at this machine. */
export function ownCertificate(): Certificate {
  return certificateFor(['localhost', '127.0.0.1'])
}

/** Valid for a day, for these names and IPv4 addresses only. */
export function certificateFor(names: readonly string[]): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = sequence(der(0x06, bytes(SHA256_WITH_ECDSA)))
  const common = der(0x0c, Buffer.from(names[0] ?? ''))
  const name = sequence(der(0x31, sequence(der(0x06, bytes(COMMON_NAME)), common)))
  const alternatives = sequence(...names.map(alternative))
  const extension = sequence(der(0x06, bytes(ALTERNATIVE_NAMES)), der(0x04, alternatives))
  const now = Date.now()
  const content = sequence(
    der(0xa0, integer(2)),
    integer(1),
    algorithm,
    name,
    sequence(time(now - DAY_MS), time(now + DAY_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(extension)),
  )
  const signature = sign('sha256', content, privateKey)
  const signed = sequence(content, algorithm, der(0x03, Buffer.concat([bytes([0]), signature])))
  const lines = signed.toString('base64').replace(/.{64}/g, '$&\n')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  }
}

function alternative(name: string): Buffer {
  if (isIPv4(name)) return der(0x87, bytes(name.split('.').map(Number)))
  return der(0x82, Buffer.from(name))
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts))
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content
  const prefix =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([bytes([tag, ...prefix]), content])
}

function integer(value: number): Buffer {
  return der(0x02, bytes([value]))
}

/** YYMMDDhhmmssZ */
function time(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/\D/g, '').slice(2, 14)
  return der(0x17, Buffer.from(`${digits}Z`))
}

function bytes(values: readonly number[]): Buffer {
  return Buffer.from(values)
}
