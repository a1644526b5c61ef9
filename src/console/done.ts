// The result of an action. The page that follows shows it once, to the operator who did it. It
// travels in a cookie, so that neither a bookmark nor a reload shows it again, with a seal that
// only this session and this page can have.

import { createHmac } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { World } from '../world.ts'
import { doneCookie } from './cookies.ts'
import { isSame, operatorOf } from './who.ts'

/** The page is opened at once. The text for a page that was not opened must not appear later. */
const KEPT_SECONDS = 60

const SEAL_CHARACTERS = 22

/** The result of an action, in words. */
export interface DoneText {
  readonly words: string
  /** The action did its work, and what it found is bad news. */
  readonly isBad?: boolean
}

const MARKS = { good: '+', bad: '-' } as const

export function redirectDone(
  world: World,
  reply: FastifyReply,
  path: string,
  done: string | DoneText,
): FastifyReply {
  const { request } = reply
  const { name, options } = doneCookie(world, request)
  const { words, isBad = false } = typeof done === 'string' ? { words: done } : done
  const marked = (isBad ? MARKS.bad : MARKS.good) + words
  const value = sealOf(request, path, marked) + marked
  return reply.setCookie(name, value, { ...options, maxAge: KEPT_SECONDS }).redirect(path, 303)
}

/** Returns the text for this page and deletes its cookie. */
export function takeDone(world: World, reply: FastifyReply): DoneText | undefined {
  const { request } = reply
  const { name, options } = doneCookie(world, request)
  const value = request.cookies[name]
  if (value === undefined || request.method !== 'GET') return undefined
  const marked = value.slice(SEAL_CHARACTERS)
  if (!isSame(value.slice(0, SEAL_CHARACTERS), sealOf(request, request.url, marked)))
    return undefined
  reply.clearCookie(name, options)
  return { words: marked.slice(1), isBad: marked.startsWith(MARKS.bad) }
}

function sealOf(request: FastifyRequest, path: string, marked: string): string {
  const { formToken } = operatorOf(request)
  const seal = createHmac('sha256', formToken).update(`${path}\n${marked}`).digest('base64url')
  return seal.slice(0, SEAL_CHARACTERS)
}

/** The text for a form that changed so many settings. */
export function savedWords(changes: number): string {
  return changes > 0 ? 'Saved.' : 'Nothing was changed.'
}
