// The parts of a page of which one is shown, each with how much there is of it.

import { grouped } from './pager.tsx'

export interface Tab {
  readonly name: string
  readonly words: string
  readonly path: string
  readonly count: number
}

export function Tabs({
  tabs,
  shown,
  title,
}: {
  tabs: readonly Tab[]
  shown: string
  title: string
}) {
  return (
    <nav class="tabs" aria-label={title}>
      {tabs.map(({ name, words, path, count }) => (
        <a key={name} class="tab" href={path} aria-current={name === shown ? 'page' : undefined}>
          <span class={count > 0 ? 'count' : 'count none'}>{grouped(count)}</span>
          <span>{words}</span>
        </a>
      ))}
    </nav>
  )
}
