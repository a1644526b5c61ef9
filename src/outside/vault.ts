// Encrypts secrets for the database, so that access to the database alone reveals none of them.
//
// AES-256-GCM with a random nonce. The text names its key and is bound to its row: copied to
// another row, it does not open. A text that is not sealed is a secret that an earlier version
// wrote, and is returned as it is.

import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { NamedError } from '../core/named-error.ts'
import { makeFolder, replaceFile, systemCodeOf } from '../db/embedded/files.ts'

export interface Vault {
  /** True if the keys come from the settings, so that processes on other machines have them too. */
  readonly isShared: boolean
  /** The names of this process's keys. The first one seals. */
  keyIds(): readonly string[]
  seal(secret: string, about: string): string
  open(text: string, about: string): string
  /** By it a secret is known again, and without the key it cannot be found by trying all secrets. */
  digest(secret: string, about: string): string
  /** True also if the key of the digest has been removed since. */
  mayBeOf(digest: string, secret: string, about: string): boolean
  /** The beginning of every text that this key has sealed. */
  sealedBy(keyId: string): string
  /** Makes a key that seals from now on; earlier keys still open. Only if no keys are set. */
  makeKey(): Promise<void>
}

export interface VaultOptions {
  /** 32 bytes each, in base64. */
  readonly keys: readonly string[] | undefined
  /** The file for keys that no setting contains, one on each line. */
  readonly file: string
}

/** A secret that this process cannot seal or open. The message contains no secret. */
export class VaultError extends NamedError {}

interface Key {
  readonly id: string
  readonly bytes: Buffer
}

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

const NOT_THERE: readonly string[] = ['ENOENT', 'ENOTDIR']

const SEALED = /^sealed:v1:([0-9a-f]{16}):([\w-]+)$/

export function openVault({ keys: given, file }: VaultOptions): Vault {
  let keys = given?.map(keyOf) ?? keysIn(file)

  /** Another process may have added a key since. */
  function reload(): void {
    if (given === undefined) keys = keysIn(file)
  }

  function find(id: string): Key | undefined {
    const held = keys.find((key) => key.id === id)
    if (held === undefined) reload()
    return held ?? keys.find((key) => key.id === id)
  }

  function first(): Key {
    if (keys.length === 0) reload()
    const [key] = keys
    if (key === undefined) throw new VaultError('there is no key to seal secrets with')
    return key
  }

  return {
    isShared: given !== undefined,
    keyIds() {
      reload()
      return keys.map(({ id }) => id)
    },
    seal: (secret, about) => sealed(first(), secret, about),
    open(text, about) {
      const [, id, packed = ''] = SEALED.exec(text) ?? []
      if (id === undefined) return text
      const key = find(id)
      if (key === undefined)
        throw new VaultError(`secrets are sealed with key ${id}: it is missing`)
      return opened(key, packed, about)
    },
    digest: (secret, about) => digested(first(), secret, about),
    mayBeOf(digest, secret, about) {
      const key = find(digest.split(':', 1)[0] ?? '')
      return key === undefined || digest === digested(key, secret, about)
    },
    sealedBy,
    async makeKey() {
      if (given !== undefined) throw new VaultError('the keys are in SECRETS_KEY: add one there')
      await makeFolder(dirname(file))
      const lines = [randomBytes(KEY_BYTES), ...keysIn(file).map(({ bytes }) => bytes)]
      await replaceFile(file, lines.map((bytes) => `${bytes.toString('base64')}\n`).join(''))
      reload()
    },
  }
}

function sealedBy(keyId: string): string {
  return `sealed:v1:${keyId}:`
}

function sealed({ id, bytes }: Key, secret: string, about: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, bytes, nonce).setAAD(Buffer.from(about))
  const parts = [nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]
  return sealedBy(id) + Buffer.concat(parts).toString('base64url')
}

function opened({ id, bytes }: Key, packed: string, about: string): string {
  const all = Buffer.from(packed, 'base64url')
  const options = { authTagLength: TAG_BYTES }
  try {
    const decipher = createDecipheriv(CIPHER, bytes, all.subarray(0, NONCE_BYTES), options)
    decipher.setAAD(Buffer.from(about)).setAuthTag(all.subarray(-TAG_BYTES))
    const secret = decipher.update(all.subarray(NONCE_BYTES, -TAG_BYTES))
    return Buffer.concat([secret, decipher.final()]).toString()
  } catch (cause) {
    throw new VaultError(`a secret sealed with key ${id} does not open`, { cause })
  }
}

function digested({ id, bytes }: Key, secret: string, about: string): string {
  const hmac = createHmac('sha256', bytes).update(JSON.stringify(['digest', about, secret]))
  return `${id}:${hmac.digest('base64url')}`
}

function keysIn(file: string): readonly Key[] {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean).map(keyOf)
  } catch (error) {
    if (NOT_THERE.includes(String(systemCodeOf(error)))) return []
    throw error
  }
}

/** The name reveals nothing of the key. */
function keyOf(text: string): Key {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length !== KEY_BYTES) throw new VaultError(`a key for secrets has ${KEY_BYTES} bytes`)
  const id = createHash('sha256').update('lamplighter secrets key ').update(bytes).digest('hex')
  return { id: id.slice(0, 16), bytes }
}
