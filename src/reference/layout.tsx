// The layout of every page of the reference: its contents beside the page, on a phone above it.

import type { ComponentChildren } from 'preact'
import { assetPath } from '../web/assets.ts'
import { MethodWord } from './operation.tsx'
import { ROOT, slugOf, useOutline } from './outline.ts'
import { sectionsOf } from './prose.tsx'

interface ReferencePageProps {
  readonly title: string
  /** The path of the page; absent for a page that says that there is none. */
  readonly href?: string
  readonly children: ComponentChildren
}

export function ReferencePage({ title, href, children }: ReferencePageProps) {
  const { info } = useOutline().document
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · ${info.title} API`}</title>
        <link rel="icon" type="image/svg+xml" href={assetPath('lamp.svg')} />
        <link rel="stylesheet" href={assetPath('base.css')} />
        <link rel="stylesheet" href={assetPath('docs.css')} />
        <script src={assetPath('docs.js')} />
      </head>
      <body class="reference">
        <a class="skip" href="#content">
          Skip to the content
        </a>
        <header class="top">
          <a class="brand" href={ROOT}>
            <img src={assetPath('lamp.svg')} alt="" width="28" height="28" />
            <span>{info.title} API</span>
          </a>
          <span class="quiet">{info.version}</span>
          <a class="raw" href="/openapi.json">
            OpenAPI document
          </a>
        </header>
        <details class="menu">
          <summary>Contents</summary>
        </details>
        <nav class="contents" aria-label="Contents">
          <Contents href={href} />
        </nav>
        <main id="content" tabIndex={-1}>
          <h1>{title}</h1>
          {children}
        </main>
      </body>
    </html>
  )
}

/** The script shows the filter, which does nothing without it. */
function Contents({ href }: { href: string | undefined }) {
  const { tags, document } = useOutline()
  const headings = sectionsOf(document.info.description ?? '').flatMap(
    ({ heading }) => heading ?? [],
  )
  return (
    <>
      <div class="filter" hidden>
        <input
          type="search"
          id="filter"
          aria-label="Filter the operations"
          placeholder="Filter operations"
          autoComplete="off"
        />
        <kbd>/</kbd>
      </div>
      <p id="filtered" class="quiet" role="status" />
      <ul class="pages">
        <li class={href === ROOT ? 'current' : undefined}>
          <a href={ROOT} aria-current={href === ROOT ? 'page' : undefined}>
            Introduction
          </a>
          <ul class="parts">
            {headings.map((heading) => (
              <li key={heading}>
                <a href={`${ROOT}#${slugOf(heading)}`}>{heading}</a>
              </li>
            ))}
          </ul>
        </li>
        {tags.map((tag) => (
          <li key={tag.slug} class={href === tag.href ? 'current' : undefined}>
            <a href={tag.href} aria-current={href === tag.href ? 'page' : undefined}>
              {tag.name}
            </a>
            <ul class="parts">
              {tag.operations.map(({ id, href: at, method, summary }) => (
                <li key={id} data-operation>
                  <a href={at}>
                    <MethodWord method={method} /> {summary}
                  </a>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </>
  )
}
