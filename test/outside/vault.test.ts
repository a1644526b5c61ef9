// Secrets as they are stored in the database: they cannot be read without the key, nor opened in
// another row.

import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openVault, VaultError } from '../../src/outside/vault.ts'

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const ABOUT = 'webhook of a team'
const NOWHERE = '/nowhere/secrets.key'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lamplighter-vault-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('a sealed secret', () => {
  const vault = vaultOf(newKey())

  it('opens unchanged, and names the key that it needs', () => {
    const text = vault.seal(SECRET, ABOUT)
    expect(vault.open(text, ABOUT)).toBe(SECRET)
    expect(text.startsWith(vault.sealedBy(vault.keyIds()[0] ?? ''))).toBe(true)
    expect(text).not.toContain(SECRET)
    expect(text).not.toContain(Buffer.from(SECRET).toString('base64url').slice(0, 12))
  })

  it('is a different text each time', () => {
    const texts = Array.from({ length: 100 }, () => vault.seal(SECRET, ABOUT))
    expect(new Set(texts).size).toBe(100)
  })

  it('does not open for another row, or when it is changed or cut anywhere', () => {
    const text = vault.seal(SECRET, ABOUT)
    const start = vault.sealedBy(vault.keyIds()[0] ?? '').length
    const packed = Buffer.from(text.slice(start), 'base64url')
    const wrong = [...packed.keys()].map((i) => {
      const changed = Buffer.from(packed)
      changed[i] = (changed[i] ?? 0) ^ 1
      return text.slice(0, start) + changed.toString('base64url')
    })
    const cut = [1, 16, packed.length].map(
      (n) => `${text.slice(0, start)}${packed.subarray(0, -n).toString('base64url')}A`,
    )
    expect(() => vault.open(text, 'webhook of another')).toThrow(VaultError)
    for (const one of [...wrong, ...cut]) expect(() => vault.open(one, ABOUT)).toThrow(VaultError)
  })

  it('opens with a later key beside the first, and not without its own', () => {
    const [old, later] = [newKey(), newKey()]
    const text = vaultOf(old).seal(SECRET, ABOUT)
    expect(vaultOf(later, old).open(text, ABOUT)).toBe(SECRET)
    expect(vaultOf(later, old).seal(SECRET, ABOUT)).not.toContain(vaultOf(old).keyIds()[0])
    expect(() => vaultOf(later).open(text, ABOUT)).toThrow(/is missing/)
  })

  it('can be one that an earlier version stored unencrypted', () => {
    expect(vault.open(SECRET, ABOUT)).toBe(SECRET)
  })
})

describe('the digest of a secret', () => {
  const [key, later] = [newKey(), newKey()]
  const digest = vaultOf(key).digest(SECRET, ABOUT)

  it('is of that secret, that row and that key, also when another key is the first', () => {
    for (const vault of [vaultOf(key), vaultOf(later, key)]) {
      expect(vault.mayBeOf(digest, SECRET, ABOUT)).toBe(true)
      expect(vault.mayBeOf(digest, `${SECRET}x`, ABOUT)).toBe(false)
      expect(vault.mayBeOf(digest, SECRET, 'webhook of another')).toBe(false)
    }
    expect(vaultOf(later).digest(SECRET, ABOUT)).not.toBe(digest)
  })

  it('may be of any secret once its key is gone', () => {
    expect(vaultOf(later).mayBeOf(digest, 'another', ABOUT)).toBe(true)
  })
})

describe('keys that are not in the settings', () => {
  it('are kept in a file that only its owner can read, the newest first', async () => {
    const file = join(folder, 'deeper', 'secrets.key')
    const vault = openVault({ keys: undefined, file })
    expect(() => vault.seal(SECRET, ABOUT)).toThrow(VaultError)
    await vault.makeKey()
    const text = vault.seal(SECRET, ABOUT)
    const [first] = vault.keyIds()
    await vault.makeKey()
    expect(vault.keyIds()).toHaveLength(2)
    expect(vault.keyIds()[1]).toBe(first)
    expect(vault.open(text, ABOUT)).toBe(SECRET)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await readFile(file, 'utf8')).trim().split('\n')).toHaveLength(2)
  })

  it('are found by a running process when another makes one', async () => {
    const file = join(folder, 'secrets.key')
    const [one, other] = [1, 2].map(() => openVault({ keys: undefined, file }))
    await one?.makeKey()
    expect(other?.open(one?.seal(SECRET, ABOUT) ?? '', ABOUT)).toBe(SECRET)
    await one?.makeKey()
    expect(other?.open(one?.seal(SECRET, ABOUT) ?? '', ABOUT)).toBe(SECRET)
  })

  it('are not made if some are in the settings', async () => {
    await expect(vaultOf(newKey()).makeKey()).rejects.toThrow(VaultError)
  })
})

function newKey(): string {
  return randomBytes(32).toString('base64')
}

function vaultOf(...keys: readonly string[]) {
  return openVault({ keys, file: NOWHERE })
}
