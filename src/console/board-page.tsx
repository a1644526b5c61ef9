// The board's page as it is sent: without calls to other hosts, with our style, our script and a
// link back to the console; and the page of an address that the board does not know.

import type { FastifyReply } from 'fastify'
import type { Operator } from '../operators/session.ts'
import { assetPath } from '../web/assets.ts'
import { BROWSER_RULES } from '../web/browser-rules.ts'
import { answerHtml, markupOf } from '../web/html.ts'
import { BOARD_PATH } from './cookies.ts'
import { ConsolePage } from './layout.tsx'
import { mayAct } from './who.ts'

/** This link would make the browser call another host; the page works without it. */
const FONTS = /<link href="https:\/\/fonts\.googleapis\.com[^>]*>/g

/** The placeholder that shows until the script runs. It is dark even in light mode. */
const PLACEHOLDER = /(?<=<div id="root">)[\s\S]*?<\/style>/

export function dressedBoard(page: string, operator: Operator): string {
  return page
    .replace(FONTS, '')
    .replace(PLACEHOLDER, '')
    .replace('</head>', () => `${markupOf(<Files />)}</head>`)
    .replace('<div id="root">', () => `${markupOf(<WayBack operator={operator} />)}<div id="root">`)
}

function Files() {
  return (
    <>
      <link rel="stylesheet" href={assetPath('board.css')} />
      <script defer src={assetPath('board.js')} />
    </>
  )
}

/** The board itself offers its actions to everybody. */
function WayBack({ operator }: { operator: Operator }) {
  return (
    <nav aria-label="Console">
      <h1 class="heard">Queues</h1>
      <a class="to-console" href="/admin">
        <span aria-hidden="true">← </span>
        <span class="heard">Back to the </span>
        Console
      </a>
      {mayAct(operator, BOARD_PATH) ? null : (
        <span class="view-only">Your role is {operator.role}: actions are refused.</span>
      )}
    </nav>
  )
}

export function answerNoBoardPage(reply: FastifyReply, operator: Operator): FastifyReply {
  reply.headers(BROWSER_RULES)
  return answerHtml(
    reply,
    <ConsolePage title="Not found" operator={operator} place="queues">
      <p>
        There is no page at this address. <a href={BOARD_PATH}>Open the queues</a>.
      </p>
    </ConsolePage>,
    404,
  )
}
