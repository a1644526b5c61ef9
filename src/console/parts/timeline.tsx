// Events in the order in which they really happened, each with its instant.

import { msOfId } from '../../core/id.ts'
import { At, Verbatim } from './shown.tsx'

export type Tone = 'good' | 'bad' | 'wait' | 'plain'

export interface TimelineEntry {
  readonly at: Date
  /** Whether `at` is the account's own time, which may be that of a sandbox clock. */
  readonly isOfAccount?: boolean
  /** The id of what happened, or of its cause. It was made in real time. */
  readonly id?: string
  /** True if other parts of the page link to its id. */
  readonly isLinked?: boolean
  readonly title: string
  readonly tone: Tone
  /** Each on a line of its own. */
  readonly lines: readonly string[]
  /** A link to more about it. */
  readonly link?: { readonly path: string; readonly words: string } | undefined
  /** The event's payload, as receivers get it. It is folded away. */
  readonly snapshot?: string | undefined
}

interface TimelineProps {
  readonly entries: readonly TimelineEntry[]
  /** The time of the account's sandbox clock, if it has one. */
  readonly clockAt: Date | null
}

/** The part of a page that tells what happened to its object. */
export function Timeline({ entries, clockAt }: TimelineProps) {
  return (
    <section class="stack" aria-labelledby="story">
      <h2 id="story">What happened</h2>
      <ol class="timeline">
        {inOrder(entries, clockAt).map((entry, i) => (
          <li key={i} id={entry.isLinked === true ? entry.id : undefined} class={entry.tone}>
            <When of={entry} isClockOwn={clockAt !== null && entry.isOfAccount === true} />
            <div class="moment">
              <p class="what">{entry.title}</p>
              {entry.lines.map((line) => (
                <p key={line} class="quiet">
                  {line}
                </p>
              ))}
              {entry.link === undefined ? null : <a href={entry.link.path}>{entry.link.words}</a>}
              {entry.snapshot === undefined ? null : (
                <details>
                  <summary>Event payload</summary>
                  <Verbatim text={entry.snapshot} />
                </details>
              )}
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}

function When({ of: { at }, isClockOwn }: { of: TimelineEntry; isClockOwn: boolean }) {
  return (
    <p class="when" data-clock={isClockOwn ? 'sandbox' : 'real'}>
      <At instant={at} /> {isClockOwn ? <span class="word wait">sandbox clock</span> : null}
    </p>
  )
}

/**
 * The instants of a sandbox clock, which stands or is ahead, say nothing about the order of what
 * happened beside it in real time. Entries of the same instant keep their order.
 */
function inOrder(
  entries: readonly TimelineEntry[],
  clockAt: Date | null,
): readonly TimelineEntry[] {
  const msOf = ({ at, isOfAccount = false, id }: TimelineEntry): number => {
    if (clockAt === null) return at.getTime()
    if (!isOfAccount) return Math.max(at.getTime(), id === undefined ? 0 : msOfId(id))
    return id === undefined ? realMsOf(at, entries) : msOfId(id)
  }
  return entries
    .map((entry) => ({ entry, ms: msOf(entry) }))
    .toSorted((one, other) => one.ms - other.ms)
    .map(({ entry }) => entry)
}

/** When the account's own time came to the instant, as far as ids tell; otherwise at the end. */
function realMsOf(instant: Date, entries: readonly TimelineEntry[]): number {
  const since = entries.flatMap(({ at, isOfAccount = false, id }) =>
    isOfAccount && id !== undefined && at >= instant ? [msOfId(id)] : [],
  )
  return Math.min(Number.MAX_SAFE_INTEGER, ...since)
}
