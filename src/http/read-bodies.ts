// Bodies are JSON. A body without a content type is read as JSON. A missing body, and "", are an
// empty object.

import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal, wrongField } from '../core/errors.ts'
import { isInDialect } from './speak-dialect.ts'

type Done = (error: Error | null, body?: unknown) => void

const AS_BYTES = { parseAs: 'buffer' } as const

export function readBodies(app: FastifyInstance): void {
  // Refuses __proto__ and constructor.prototype as keys.
  const parse = app.getDefaultJsonParser('error', 'error')

  function readJson(request: FastifyRequest, bytes: Buffer, done: Done): void {
    const text = bytes.toString('utf8')
    const trimmed = text.trim()
    if (isEncoded(request, bytes)) done(new Refusal('unsupported_media_type', COMPRESSED))
    // Decoding would have replaced bytes that are not UTF-8.
    else if (!isUtf8(bytes)) done(new Refusal('invalid_json', NOT_UTF8))
    else if (isEmptyBody(request, trimmed)) done(null, {})
    else {
      const refusal = beyondBounds(bytes)
      if (refusal !== undefined) done(refusal)
      else parse(request, text, (error, body) => done(error && (keyRefusal(text) ?? error), body))
    }
  }

  app.removeAllContentTypeParsers()
  app.addContentTypeParser<Buffer>('application/json', AS_BYTES, readJson)
  app.addContentTypeParser<Buffer>('*', AS_BYTES, (request, bytes, done) => {
    if (request.headers['content-type'] === undefined || bytes.length === 0) {
      return readJson(request, bytes, done)
    }
    return done(new Refusal('unsupported_media_type'))
  })
  app.addHook('preValidation', async (request) => {
    if (request.routeOptions.schema?.body !== undefined) request.body ??= {}
  })
  // The schema has reported known fields by name. This covers the others.
  app.addHook('preHandler', async (request) => {
    if (request.routeOptions.schema?.body !== undefined) makeStorable(request.body)
  })
}

/** The parser says of such a key too that the body is not JSON, which sends its author astray. */
function keyRefusal(text: string): Refusal | undefined {
  // The parser skips a byte order mark too.
  return isJson(text.replace(/^\ufeff/, '')) ? wrongField('body', ODD_KEY) : undefined
}

const ODD_KEY = 'must not have the key __proto__, or prototype within constructor'

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const NOT_UTF8 = { message: 'the body is not encoded as UTF-8' }

const COMPRESSED = { message: 'the body must not have a Content-Encoding' }

function isEncoded({ headers }: FastifyRequest, bytes: Buffer): boolean {
  const encoding = headers['content-encoding'] ?? 'identity'
  return bytes.length > 0 && encoding.trim().toLowerCase() !== 'identity'
}

/** PHP prints an empty array as `[]`, also for an object, and existing clients in PHP send it. */
function isEmptyBody(request: FastifyRequest, text: string): boolean {
  return text === '' || text === '""' || (text === '[]' && isInDialect(request))
}

/**
 * Kept JSON has no NUL and no -0, as PHP prints a discount of -0.0: a repeat of the same body would
 * differ from what is kept. Without recursion, because unknown fields may be nested at any depth.
 */
function makeStorable(body: unknown): void {
  const left: unknown[] = [body]
  while (left.length > 0) {
    const value = left.pop()
    if (typeof value === 'string' && value.includes('\0')) {
      throw wrongField('body', 'must not hold NUL')
    }
    if (typeof value !== 'object' || value === null) continue
    for (const [name, inner] of Object.entries(value)) {
      if (Object.is(inner, -0)) Object.assign(value, { [name]: 0 })
      left.push(name, inner)
    }
  }
}

/**
 * The limits of a body. They are checked in its bytes before it is parsed, so that no body costs
 * more than reading it.
 */
const MOST_ITEMS = 1_000

/**
 * Fields and items of the whole body, at every depth. It is more than any request needs, and few
 * enough to be parsed within milliseconds, however they are nested.
 */
const MOST_VALUES = 20_000

/** The longest path in a fault: the caller chooses the names, which may be as long as the body. */
const MOST_PLACE_CHARACTERS = 200

interface Container {
  readonly isArray: boolean
  /**
   * The number of members that begin before this point, and the position of the last text before
   * it.
   */
  members: number
  textFrom: number
  textTo: number
  /** The names before this point. The parser would keep the last value of a repeated one. */
  names?: Set<string>
}

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const BACKSLASH = 0x5c
const [ARRAY, ARRAY_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Undefined if the body is within the bounds. Broken JSON is read as far as possible: the parser
 * reports what is wrong.
 */
function beyondBounds(json: Buffer): Refusal | undefined {
  const open: Container[] = []
  let values = 0
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at]
    const inside = open.at(-1)
    if (byte === QUOTE) {
      const end = endOfText(json, at)
      if (inside !== undefined) Object.assign(inside, { textFrom: at + 1, textTo: end })
      at = end
    } else if (byte === ARRAY || byte === OBJECT) {
      values += 1
      open.push({ isArray: byte === ARRAY, members: 1, textFrom: 0, textTo: 0 })
    } else if (byte === ARRAY_END || byte === OBJECT_END) {
      open.pop()
    } else if (byte === COLON && inside?.isArray === false) {
      const name = nameOf(json.toString('utf8', inside.textFrom, inside.textTo))
      inside.names ??= new Set()
      if (inside.names.has(name)) return wrongField(placeOf(json, open), 'must be sent once')
      inside.names.add(name)
    } else if (byte === COMMA && inside !== undefined) {
      values += 1
      inside.members += 1
      if (inside.isArray && inside.members > MOST_ITEMS) {
        const place = placeOf(json, open.slice(0, -1)) || 'body'
        return wrongField(place, `must hold at most ${MOST_ITEMS} items`)
      }
    }
    if (values > MOST_VALUES) return wrongField('body', `must hold at most ${MOST_VALUES} values`)
  }
  return undefined
}

/** The position of the closing quote. */
function endOfText(json: Buffer, start: number): number {
  let at = start + 1
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1
  return at
}

/** The name as the parser reads it: its letters may be written as `\u0061`. */
function nameOf(written: string): string {
  const text = `"${written}"`
  return written.includes('\\') && isJson(text) ? JSON.parse(text) : written
}

/** The path to the member of the last container that is being read. */
function placeOf(json: Buffer, open: readonly Container[]): string {
  const steps = open.map(({ isArray, members, textFrom, textTo }) => {
    return isArray ? members - 1 : json.toString('utf8', textFrom, textTo)
  })
  return steps.join('.').slice(0, MOST_PLACE_CHARACTERS).toWellFormed()
}
