// Answers a request with a page of the console, for the operator who sent it.

import type { FastifyReply } from 'fastify'
import type { ComponentChildren } from 'preact'
import { answerHtml } from '../web/html.ts'
import { ConsolePage, type ConsolePageProps } from './layout.tsx'

interface ConsoleAnswer extends Omit<ConsolePageProps, 'operator' | 'children'> {
  readonly status?: number
}

export function answerConsole(
  reply: FastifyReply,
  { status = 200, ...page }: ConsoleAnswer,
  content: ComponentChildren,
): FastifyReply {
  const shown = (
    <ConsolePage {...page} operator={reply.request.operator}>
      {content}
    </ConsolePage>
  )
  return answerHtml(reply, shown, status)
}
