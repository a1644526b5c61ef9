// The board's style: the service's colors, light and dark. board-page.tsx adds the rest.

import type { UIConfig } from '@bull-board/api/typings/app'
import type { Engine } from '../queue/engine.ts'
import { assetPath } from '../web/assets.ts'

type Theme = NonNullable<UIConfig['theme']>
type Tokens = NonNullable<Theme['light']>

const SANS = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif'
const MONO = 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace'

/** As in public/base.css, which a test checks. Here the tint is used on paper too. */
const DAY = {
  paper: '#f5f2ed',
  card: '#fffefc',
  ink: '#211d18',
  quiet: '#655c53',
  line: '#e3dcd1',
  tint: '#f0ebe2',
  amber: '#8a5300',
  onAmber: '#fffefc',
  good: '#1f6b3a',
  bad: '#a3281c',
  wait: '#7a5200',
}

const NIGHT: typeof DAY = {
  paper: '#171412',
  card: '#221e1a',
  ink: '#f3eee7',
  quiet: '#b6aba0',
  line: '#3c362f',
  tint: '#2b2620',
  amber: '#f5ae3d',
  onAmber: '#211d18',
  good: '#7fd19b',
  bad: '#ff9d8f',
  wait: '#f5c66a',
}

export function boardLook(store: Engine['kind']): UIConfig {
  const lamp = assetPath('lamp.svg')
  return {
    boardTitle: 'Lamplighter',
    boardLogo: { path: lamp, width: 28, height: 28 },
    favIcon: { default: lamp, alternative: lamp },
    hideDocsLink: true,
    // Only Redis counts jobs by the minute: redis-engine.ts.
    showMetrics: store === 'redis',
    // On PostgreSQL the workers of a process share a connection, by which BullMQ would find them.
    showWorkers: store === 'redis',
    locale: { lng: 'en-US' },
    theme: { light: tokensOf(DAY), dark: tokensOf(NIGHT) },
  }
}

function tokensOf(of: typeof DAY): Tokens {
  return {
    'font-sans': SANS,
    'font-mono': MONO,
    radius: '10px',
    background: of.paper,
    foreground: of.ink,
    card: of.card,
    'card-foreground': of.ink,
    popover: of.card,
    'popover-foreground': of.ink,
    primary: of.amber,
    'primary-foreground': of.onAmber,
    secondary: of.tint,
    'secondary-foreground': of.ink,
    muted: of.tint,
    'muted-foreground': of.quiet,
    accent: of.tint,
    'accent-foreground': of.ink,
    destructive: of.bad,
    'destructive-foreground': of.card,
    border: of.line,
    input: of.line,
    ring: of.amber,
    sidebar: of.card,
    'sidebar-foreground': of.ink,
    'sidebar-primary': of.amber,
    'sidebar-primary-foreground': of.onAmber,
    'sidebar-accent': of.tint,
    'sidebar-accent-foreground': of.ink,
    'sidebar-border': of.line,
    'sidebar-ring': of.amber,
    'status-failed': of.bad,
    'status-completed': of.good,
    'status-delayed': of.wait,
    'status-waiting': of.wait,
    'status-paused': of.wait,
  }
}
