// Parses browser forms. Only the plugins with forms use it.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../core/errors.ts'

/** The last value of each name. A field that can occur several times uses several names. */
export type Form = Readonly<Record<string, string>>

const FORM_TYPE = 'application/x-www-form-urlencoded'

export const FORM_BYTES = 64 * 1024

/** A route for people who are not known. A name, a password and an address are a few hundred. */
export const STRANGERS_FORM = { bodyLimit: 16 * 1024 }

export function readForms(own: FastifyInstance): void {
  own.removeAllContentTypeParsers()
  own.addContentTypeParser<string>(FORM_TYPE, { parseAs: 'string' }, (_request, text, done) => {
    done(null, Object.fromEntries(new URLSearchParams(text)))
  })
  own.addContentTypeParser('*', (_request, _payload, done) => {
    done(new Refusal('unsupported_media_type', { message: 'the body must be a form' }))
  })
}

/** A picture that is too large still arrives, so that the page can say so. */
export const UPLOAD_BYTES = 4 * 1024 * 1024

const UPLOAD_TYPE = 'multipart/form-data'

/** Parsing takes a second for each twenty thousand parts. */
const MOST_PARTS = 40

/** The lines before a part's content: its name and its type. */
const MOST_HEAD_BYTES = 4 * 1024

const BOUNDARY = /;\s*boundary=(?:"([^";]{1,70})"|([^\s";]{1,70}))\s*$/i

/** The files of a form, by the form. */
const uploads = new WeakMap<Form, ReadonlyMap<string, Buffer>>()

/** Parses forms with files too. Such a route has a `bodyLimit` of UPLOAD_BYTES. */
export function readUploads(own: FastifyInstance): void {
  own.addContentTypeParser(
    UPLOAD_TYPE,
    { parseAs: 'buffer' },
    async ({ headers }: FastifyRequest, body: Buffer) => {
      try {
        return await formWithFiles(body, headers['content-type'] ?? '')
      } catch {
        throw new Refusal('invalid_request', { message: 'the form cannot be read' })
      }
    },
  )
}

async function formWithFiles(body: Buffer, type: string): Promise<Form> {
  const [, quoted, bare] = BOUNDARY.exec(type) ?? []
  const boundary = quoted ?? bare
  if (boundary === undefined || !isCheap(body, `--${boundary}`)) throw new Error('not such a form')
  const headers = { 'content-type': type }
  const sent = await new Response(new Uint8Array(body), { headers }).formData()
  const texts: [string, string][] = []
  const files = new Map<string, Buffer>()
  for (const [name, value] of sent) {
    if (typeof value === 'string') texts.push([name, value])
    else files.set(name, Buffer.from(await value.arrayBuffer()))
  }
  const form = Object.fromEntries(texts)
  uploads.set(form, files)
  return form
}

/** True if the form has few parts, each with a short head, and ends. */
function isCheap(body: Buffer, mark: string): boolean {
  let isEnd = false
  let at = body.indexOf(mark)
  for (let parts = 0; at >= 0; parts += 1) {
    const head = body.subarray(at + mark.length, at + MOST_HEAD_BYTES)
    isEnd = head.subarray(0, 2).toString('latin1') === '--'
    if (parts > MOST_PARTS || !(isEnd || head.includes('\r\n\r\n'))) return false
    at = body.indexOf(mark, at + mark.length)
  }
  return isEnd
}

/** Undefined if no file was chosen. */
export function uploadOf(request: Pick<FastifyRequest, 'body'>, name: string): Buffer | undefined {
  const file = uploads.get(formOf(request))?.get(name)
  return file === undefined || file.length === 0 ? undefined : file
}

export function formOf({ body }: Pick<FastifyRequest, 'body'>): Form {
  return (body ?? {}) as Form
}

/**
 * A typed line: without invisible characters and those that reverse the text, and cut
 * between characters.
 */
export function lineOf(text: string | undefined, longest: number): string {
  const shown = (text ?? '').replace(/\s+/g, ' ').replace(/\p{C}/gu, '').trim()
  return [...shown].slice(0, longest).join('')
}

/** No field takes more. */
const LONGEST_FIELD = 2_048

/** A form as its page shows it again. */
export function linesOf(form: Form): Form {
  const lines = Object.entries(form).map(([name, text]) => [name, lineOf(text, LONGEST_FIELD + 1)])
  return Object.fromEntries(lines)
}

/**
 * True if a page of another site sends the request, so that its payer or operator knows nothing of
 * it.
 *
 * All current browsers say so in a header. Without https they do not, but they still name the site
 * of the page.
 */
export function isFromElsewhere({ headers, host }: Pick<FastifyRequest, 'headers' | 'host'>) {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  const { origin } = headers
  if (origin === undefined) return false
  return !URL.canParse(origin) || new URL(origin).host !== host
}
