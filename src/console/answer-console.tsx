// Answers a request with a page of the console, for the operator who sent it.

import type { FastifyReply } from 'fastify'
import type { ComponentChildren } from 'preact'
import { answerHtml } from '../web/html.ts'
import { ConsolePage, type ConsolePageProps } from './layout.tsx'
import type { FormFaults } from './parts/fields.tsx'
import { isFaulty } from './parts/typed.ts'

interface ConsoleAnswer extends Omit<ConsolePageProps, 'operator' | 'children'> {
  readonly status?: number
  /** The faults of a form on the page. With any of them it was refused. */
  readonly faults?: FormFaults | undefined
}

const REFUSED = 422

export function answerConsole(
  reply: FastifyReply,
  { status, faults = {}, ...page }: ConsoleAnswer,
  content: ComponentChildren,
): FastifyReply {
  const shown = (
    <ConsolePage {...page} operator={reply.request.operator}>
      {content}
    </ConsolePage>
  )
  return answerHtml(reply, shown, status ?? (isFaulty(faults) ? REFUSED : 200))
}
