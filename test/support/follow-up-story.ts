// One transaction as seen from outside: the requests and answers about it, the moment of its batch,
// and the content of its events; and whether the model can explain it.

import { explain, type Happening } from './explain.ts'
import {
  begin,
  begunBy,
  end,
  flags,
  isForBatch,
  type ModelChild,
  type Modelled,
  type ModelRequest,
  NEW,
  refusals,
} from './transaction-model.ts'

interface Moment {
  readonly fromMs: number
  readonly toMs: number
}

export interface Question extends Moment {
  readonly asked: ModelRequest
  readonly answer:
    | { readonly refusal: string }
    /** `isFinal`: it was decided when it was answered. */
    | { readonly child: string; readonly isFinal: boolean }
}

export interface BatchVisit extends Moment {
  readonly tookIt: boolean
}

// biome-ignore lint/suspicious/noExplicitAny: looked into as a client without types does
type Snapshot = any

export interface Story {
  readonly type: Modelled['type']
  readonly total: number
  readonly questions: readonly Question[]
  readonly visits: readonly BatchVisit[]
  /** The snapshots of all its events, in their order. */
  readonly snapshots: readonly Snapshot[]
}

export interface ModelState {
  readonly t: Modelled
  readonly children: Readonly<Record<string, ModelChild & { readonly status: string }>>
  /** The number of events so far. */
  readonly events: number
}

/**
 * The final state of the transaction; undefined if no order of it all explains the observations.
 */
export function explainStory(story: Story): ModelState | undefined {
  const born = story.snapshots.findIndex(({ status }) => status === 'SUCCESS')
  const start: ModelState = {
    t: { ...NEW, type: story.type, total: story.total },
    children: {},
    events: born + 1,
  }
  return explain(start, [
    ...story.questions.map(decision),
    ...story.visits.map(visit),
    ...story.snapshots.flatMap((snapshot, i) => (i > born ? [event(story, snapshot, i)] : [])),
  ])
}

function decision({ asked, answer, fromMs, toMs }: Question): Happening<ModelState> {
  return {
    fromMs,
    toMs,
    apply({ t, children, events }) {
      const codes = refusals(t, asked)
      if ('refusal' in answer)
        return codes.includes(answer.refusal) ? { t, children, events } : undefined
      if (codes.length > 0) return undefined
      const begun = begunBy(t, asked)
      const child = { ...begun, status: 'PENDING' }
      return { t: begin(t, begun), children: { ...children, [answer.child]: child }, events }
    },
  }
}

function visit({ tookIt, fromMs, toMs }: BatchVisit): Happening<ModelState> {
  return {
    fromMs,
    toMs,
    apply(state) {
      if (isForBatch(state.t) !== tookIt) return undefined
      return tookIt ? { ...state, t: { ...state.t, batch: 'yes' } } : state
    },
  }
}

/** An event shows that one child was decided, or is in progress, and shows all children. */
function event(
  { questions, snapshots }: Story,
  snapshot: Snapshot,
  i: number,
): Happening<ModelState> {
  const before = statuses(snapshots[i - 1])
  const [decided] = Object.entries(statuses(snapshot)).filter(
    ([id, status]) => status !== 'PENDING' && before[id] !== status,
  )
  const question = questions.find(
    ({ answer }) => 'child' in answer && answer.child === decided?.[0],
  )
  const isAnswered = question !== undefined && 'child' in question.answer && question.answer.isFinal
  return {
    fromMs: question?.fromMs ?? 0,
    toMs: isAnswered ? question.toMs : Number.POSITIVE_INFINITY,
    apply(state) {
      if (state.events !== i) return undefined
      const next = { ...settled(state, decided), events: i + 1 }
      return JSON.stringify(shownBy(snapshot)) === JSON.stringify(shown(next)) ? next : undefined
    },
  }
}

function settled(state: ModelState, decided: readonly [string, string] | undefined): ModelState {
  const [id, status] = decided ?? ['', '']
  const child = state.children[id]
  if (child === undefined) return state
  const children = { ...state.children, [id]: { ...child, status } }
  return { ...state, t: end(state.t, child, status === 'SUCCESS'), children }
}

/** The fields of a snapshot, and their expected values. */
function shownBy(snapshot: Snapshot) {
  const { is_voidable, is_refundable, is_voided, total_refunded } = snapshot
  return {
    flags: { is_voidable, is_refundable, is_voided, total_refunded },
    children: childrenOf(snapshot)
      .map(({ id, type, status, total }) => `${id} ${type} ${status} ${total}`)
      .sort(),
  }
}

function shown({ t, children }: ModelState) {
  return {
    flags: flags(t),
    children: Object.entries(children)
      .map(([id, { type, status, total }]) => `${id} ${type} ${status} ${total / 100}`)
      .sort(),
  }
}

function statuses(snapshot: Snapshot): Readonly<Record<string, string>> {
  return Object.fromEntries(childrenOf(snapshot).map(({ id, status }) => [id, status]))
}

function childrenOf(snapshot: Snapshot): readonly Snapshot[] {
  return [...snapshot.child_transactions, ...snapshot.child_captures]
}
