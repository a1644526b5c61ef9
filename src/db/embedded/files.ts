// Helpers for node:fs. An absent file is undefined, and a file is written as a whole or not at all.

import { randomBytes } from 'node:crypto'
import { lstat, open, readFile, rename, rm, writeFile } from 'node:fs/promises'

export async function readIfThere(path: string): Promise<string | undefined> {
  return unlessMissing(readFile(path, 'utf8'))
}

export async function isThere(path: string): Promise<boolean> {
  return (await unlessMissing(lstat(path))) !== undefined
}

export async function unlessMissing<T>(looked: Promise<T>): Promise<T | undefined> {
  try {
    return await looked
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Readers see the old text or the new one, never a part, even after a power cut. No other user may
 * read the file.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomName()}`
  try {
    await writeFile(draft, text, { mode: 0o600, flag: 'wx', flush: true })
    await rename(draft, path)
  } catch (error) {
    // On a full disk each start would otherwise leave another draft.
    await rm(draft, { force: true })
    throw error
  }
}

/** A rename is safe on disk only after its folder is synced. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

export function randomName(): string {
  return randomBytes(6).toString('hex')
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined
}
