// The page at which an operator chooses a password, by a link that works once. Opening it does not
// use it up, because chat programs open links to show a preview.

import type { FastifyInstance, FastifyReply } from 'fastify'
import { clientAddress } from '../limits/client-address.ts'
import { choosePassword, nameOfLink } from '../operators/own-account.ts'
import { passwordFault } from '../operators/password-hash.ts'
import { formOf, STRANGERS_FORM } from '../web/forms.ts'
import { PageRefusal } from '../web/page-refusal.ts'
import type { World } from '../world.ts'
import { answerConsole } from './answer-console.tsx'
import { limitSignIns } from './limit-tries.ts'
import { NewPassword } from './operators/me.tsx'
import { refuseElsewhere } from './who.ts'

const PATH = '/admin/password'

export function passwordLinkRoutes(own: FastifyInstance, world: World): void {
  own.get<{ Querystring: Readonly<Record<string, unknown>> }>('/password', async (request, reply) =>
    answerForm(world, reply, String(request.query.once ?? '')),
  )
  own.post('/password', STRANGERS_FORM, async (request, reply) => {
    refuseElsewhere(request)
    // Each try is counted before it is checked, so that many at once cannot slip through.
    await limitSignIns(world, reply, 'link')
    return answerChosen(world, reply)
  })
}

async function answerChosen(world: World, reply: FastifyReply): Promise<FastifyReply> {
  const { request } = reply
  const { once = '', password = '' } = formOf(request)
  const fault = passwordFault(password, (await nameOfLink(world, once)) ?? '')
  if (fault !== undefined) return answerForm(world, reply, once, fault)
  const address = clientAddress(request.ip)
  const isChosen = await choosePassword(world, { secret: once, password, address })
  if (!isChosen) throw ended()
  return reply.redirect('/admin/sign-in?password=chosen', 303)
}

async function answerForm(
  world: World,
  reply: FastifyReply,
  once: string,
  fault?: string,
): Promise<FastifyReply> {
  const name = await nameOfLink(world, once)
  if (name === undefined) throw ended()
  return answerConsole(
    reply,
    { title: 'Choose a password', status: fault === undefined ? 200 : 422 },
    <form method="post" action={PATH} class="stack">
      <p>
        You are <strong>{name}</strong> here. Sign in with this name from now on.
      </p>
      <input type="hidden" name="once" value={once} />
      {/* A password manager stores the password under this name. */}
      <input class="hidden" name="name" value={name} autoComplete="username" readOnly hidden />
      <NewPassword fault={fault} />
      <button type="submit">Set password</button>
    </form>,
  )
}

function ended(): PageRefusal {
  const words = 'It has been used, replaced or has expired. Ask an admin to make another.'
  return new PageRefusal(401, 'This link does not work any more', words)
}
