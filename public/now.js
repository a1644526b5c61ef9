// Keeps the console's Now page current: it polls every few seconds while the page is visible.

const POLL_MS = 2_000
/** For readers who prefer little motion. */
const CALM_POLL_MS = 10_000
const PATIENCE_MS = 8_000
const SHOWN_SECONDS = 3_600
const MOST_GAP_SECONDS = 45
const HEIGHT = 170

const watch = document.getElementById('watch')
const watching = document.getElementById('watching')
const pauseButton = document.getElementById('pause')
const calm = window.matchMedia('(prefers-reduced-motion: reduce)')
const dark = window.matchMedia('(prefers-color-scheme: dark)')

const places = new Map()
for (const place of document.querySelectorAll('[data-now]')) places.set(place.dataset.now, place)

let isPaused = false
let isSignedOut = false
let timer
let asking
let latest
const depths = new Map()

// ------------------------------------------------------------------------------------ the figures

function put({ text, tone }, place) {
  if (place.textContent !== text) place.textContent = text
  if (place.dataset.tone !== tone) place.dataset.tone = tone
}

function putProcesses(processes) {
  const body = document.querySelector('.processes tbody')
  const rows = processes.map((cells) => {
    const row = document.createElement('tr')
    for (const cell of cells) row.insertCell().textContent = cell
    return row
  })
  body.replaceChildren(...rows)
}

// ------------------------------------------------------------------------------------- the charts

const asRate = (rate) => (rate < 10 ? rate.toFixed(1) : Math.round(rate).toLocaleString('en-US'))
const asCount = (count) => Math.round(count).toLocaleString('en-US')
const asShare = (share) => `${(share * 100).toFixed(1)} %`
const asTime = (seconds) =>
  seconds < 1 ? `${Math.round(seconds * 1_000)} ms` : `${Number(seconds.toPrecision(3))} s`

const above = (least) => (_chart, _min, max) => [0, Math.max(least, (max ?? 0) * 1.1)]

const CHARTS = {
  charges: {
    lines: [
      ['approved', '--good'],
      ['declined', '--bad'],
    ],
    text: asRate,
    axis: String,
    range: above(1),
    filled: true,
  },
  success: {
    lines: [['success', '--good']],
    text: asShare,
    range: (_chart, min) => [Math.min(0.9, Math.floor((min ?? 1) * 10) / 10), 1],
    axis: (share) => `${Math.round(share * 100)} %`,
  },
  latency: {
    lines: [
      ['p50', '--ink'],
      ['p99', '--amber'],
    ],
    text: asTime,
    range: above(0.05),
  },
  depth: {
    lines: [
      ['waiting', '--amber'],
      ['active', '--ink'],
    ],
    text: asCount,
    range: above(5),
    filled: true,
  },
}

const drawn = new Map()
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

function dataOf(name) {
  const keys = CHARTS[name].lines.map(([key]) => key)
  if (name !== 'depth') return [latest.at, ...keys.map((key) => latest[key])]
  const samples = [...depths.values()].sort(([one], [other]) => one - other)
  const whole = samples.flatMap((sample, at) => {
    const before = samples[at - 1]?.[0] ?? sample[0]
    // The page was hidden in between.
    return sample[0] - before > MOST_GAP_SECONDS ? [[sample[0] - 1, null, null], sample] : [sample]
  })
  return [0, 1, 2].map((place) => whole.map((sample) => sample[place]))
}

function lineOf(chart, [key, name]) {
  const stroke = colour(name)
  const series = { label: key, stroke, width: 2, points: { show: lonely } }
  return chart.filled
    ? { ...series, fill: `color-mix(in srgb, ${stroke} 14%, transparent)` }
    : series
}

/** A single point makes no line, so it is drawn as a point. */
function lonely(chart, place) {
  const values = chart.data[place]
  return values.some((value, at) => {
    return value != null && values[at - 1] == null && values[at + 1] == null
  })
}

function draw(plot) {
  const name = plot.dataset.chart
  const chart = CHARTS[name]
  drawn.get(name)?.destroy()
  const [quiet, line] = [colour('--quiet'), colour('--line')]
  const font = '12px system-ui, sans-serif'
  const axis = { stroke: quiet, font, grid: { stroke: line, width: 1 }, ticks: { show: false } }
  const options = {
    width: plot.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
    scales: {
      x: { time: true, range: (_chart, _min, max) => [max - SHOWN_SECONDS, max] },
      y: { range: chart.range },
    },
    series: [{}, ...chart.lines.map((one) => lineOf(chart, one))],
    axes: [
      { ...axis, size: 28, space: 56, incrs: [300, 600, 900, 1_800], values: asMinutes },
      {
        ...axis,
        size: 58,
        space: 30,
        values: (_chart, marks) => marks.map(chart.axis ?? chart.text),
      },
    ],
    hooks: { setCursor: [() => tell(name)] },
  }
  drawn.set(name, new uPlot(options, dataOf(name), plot))
  tell(name)
}

/** In UTC, as on all console pages. */
function asMinutes(_chart, marks) {
  return marks.map((seconds) => new Date(seconds * 1_000).toISOString().slice(11, 16))
}

/**
 * The figures beside the names of the lines: at the pointer, or the latest known, as in the tiles.
 * The current minute may have decided nothing yet.
 */
function tell(name) {
  const chart = drawn.get(name)
  if (chart === undefined) return
  const at = chart.cursor.idx
  for (const [line, [key]] of CHARTS[name].lines.entries()) {
    const values = chart.data[line + 1]
    const value = at == null ? (values.at(-1) ?? values.at(-2)) : values[at]
    const text = value == null ? '–' : CHARTS[name].text(value)
    document.querySelector(`[data-value="${key}"]`).textContent = text
  }
}

const plots = [...document.querySelectorAll('[data-chart]')]

function drawAll() {
  if (latest !== undefined) for (const plot of plots) draw(plot)
}

function moveAll() {
  for (const plot of plots) {
    const chart = drawn.get(plot.dataset.chart)
    if (chart === undefined) {
      draw(plot)
      continue
    }
    chart.setData(dataOf(plot.dataset.chart))
    tell(plot.dataset.chart)
  }
}

new ResizeObserver((changes) => {
  for (const { target } of changes) {
    drawn.get(target.dataset.chart)?.setSize({ width: target.clientWidth, height: HEIGHT })
  }
}).observe(plots[0])
dark.addEventListener('change', drawAll)

// ------------------------------------------------------------------------------------- the asking

function say(state, text) {
  watch.dataset.state = state
  if (watching.textContent !== text) watching.textContent = text
}

async function ask() {
  const answer = await fetch('/admin/now.json', {
    headers: { accept: 'application/json' },
    cache: 'no-store',
    signal: AbortSignal.any([asking.signal, AbortSignal.timeout(PATIENCE_MS)]),
  })
  if (answer.status === 401) return signedOut()
  if (!answer.ok) throw new Error(`answered ${answer.status}`)
  show(await answer.json())
}

function show(now) {
  latest = now
  const oldest = now.at.at(-1) - SHOWN_SECONDS
  for (const sample of now.depths) depths.set(sample[0], sample)
  for (const at of depths.keys()) if (at < oldest) depths.delete(at)
  for (const [name, shown] of Object.entries(now.shown)) {
    const place = places.get(name)
    if (place !== undefined) put(shown, place)
  }
  putProcesses(now.processes)
  moveAll()
  say('live', 'Live, as of')
}

function signedOut() {
  isSignedOut = true
  pauseButton.hidden = true
  say('away', 'Signed out. ')
  const link = document.createElement('a')
  link.href = '/admin'
  link.textContent = 'Sign in again'
  watching.append(link, '. What is shown is as of')
}

async function turn() {
  if (isPaused || isSignedOut || document.hidden || asking !== undefined) return
  const mine = new AbortController()
  asking = mine
  try {
    await ask()
  } catch {
    if (!mine.signal.aborted) say('away', 'The service cannot be reached; trying again. As of')
  }
  // Another request may have begun meanwhile.
  if (asking !== mine) return
  asking = undefined
  clearTimeout(timer)
  timer = setTimeout(turn, calm.matches ? CALM_POLL_MS : POLL_MS)
}

function stop() {
  asking?.abort()
  asking = undefined
  clearTimeout(timer)
}

document.addEventListener('visibilitychange', () => {
  stop()
  void turn()
})

pauseButton.hidden = false
pauseButton.addEventListener('click', () => {
  isPaused = !isPaused
  pauseButton.textContent = isPaused ? 'Resume' : 'Pause'
  stop()
  if (isPaused) say('paused', 'Paused, as of')
  else void turn()
})

void turn()
