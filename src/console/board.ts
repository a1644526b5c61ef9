// Bull Board within the console: every queue and every recurring job, on both backends.
//
// It is a server of its own, created when it is first opened, because its code would cost every
// start a tenth of a second. A request is first authorized, as everywhere in the console, and then
// passed on unread.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isReading } from '../web/html.ts'
import type { World } from '../world.ts'
import type { Board } from './board-server.ts'
import { BOARD_PATH, isHttps } from './cookies.ts'
import { requireOperator } from './guard.ts'
import { operatorOf, refuseByRole, refuseForgedForm } from './who.ts'

/** The header in which the board's script repeats the cookie. */
const BOARD_HEADER = 'x-xsrf-token'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

export function boardRoutes(app: FastifyInstance, world: World): void {
  let opening: Promise<Board> | undefined

  async function openBoard(): Promise<Board> {
    const { openBoardServer } = await import('./board-server.ts')
    return openBoardServer(world)
  }

  async function handOver(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const operator = operatorOf(request)
    if (!isReading(request.method)) {
      refuseForgedForm(request, operator, String(request.headers[BOARD_HEADER] ?? ''))
      refuseByRole(operator, BOARD_PATH)
    }
    opening ??= openBoard()
    const board = await opening.catch((error) => {
      // The next request tries again.
      opening = undefined
      throw error
    })
    reply.hijack()
    const isSecure = isHttps(world, request)
    board.answer(request.raw, reply.raw, { operator, requestId: request.id, isSecure })
  }

  app.register(async (own) => {
    requireOperator(own, world)
    // Before the body is read, because the board reads it itself.
    own.addHook('onRequest', handOver)
    for (const url of ['/queues', '/queues/*']) {
      own.route({ method: [...METHODS], url, handler: () => undefined })
    }
  })
  app.addHook('onClose', async () => (await opening)?.close())
}
