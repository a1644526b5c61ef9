// Draws the days of a month as bars, from the cells of the calendar below.

const HEIGHT = 190

const plot = document.getElementById('month-chart')
const pointed = document.getElementById('pointed')
const words = pointed.textContent
const dark = window.matchMedia('(prefers-color-scheme: dark)')

const days = [...document.querySelectorAll('td[data-day]')].map((cell) => ({
  label: cell.querySelector('.hidden')?.textContent,
  day: Number(cell.dataset.day.slice(8)),
  sales: Number(cell.dataset.sales ?? 0) / 100,
  refunds: Number(cell.dataset.refunds ?? 0) / 100,
}))

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()
const dollars = (amount) => `$${amount.toLocaleString('en-US', { maximumFractionDigits: 2 })}`

/** Short enough for the axis of a chart. */
function briefly(amount) {
  const text = Math.abs(amount).toLocaleString('en-US', {
    notation: 'compact',
    maximumFractionDigits: 1,
  })
  return `${amount < 0 ? '−' : ''}$${text}`
}

let chart

function draw() {
  chart?.destroy()
  const [quiet, line] = [colour('--quiet'), colour('--line')]
  const axis = { stroke: quiet, font: '12px system-ui, sans-serif', ticks: { show: false } }
  const bar = (label, name) => ({
    label,
    fill: colour(name),
    width: 0,
    paths: uPlot.paths.bars({ size: [0.62, 42], radius: 0.12 }),
    points: { show: false },
  })
  const options = {
    width: plot.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
    scales: {
      x: { time: false, range: [0.4, days.length + 0.6] },
      y: { range: (_chart, min, max) => [Math.min(0, min * 1.15), Math.max(10, max * 1.1)] },
    },
    series: [{}, bar('sales', '--good'), bar('refunds', '--bad')],
    axes: [
      {
        ...axis,
        size: 28,
        grid: { show: false },
        splits: () => days.map(({ day }) => day).filter(isLabelled),
        values: (_chart, marks) => marks,
      },
      {
        ...axis,
        size: 60,
        space: 40,
        grid: { stroke: line, width: 1 },
        values: (_chart, marks) => marks.map(briefly),
      },
    ],
    hooks: { setCursor: [tell] },
  }
  const data = [
    days.map(({ day }) => day),
    days.map(({ sales }) => sales),
    days.map(({ refunds }) => -refunds),
  ]
  chart = new uPlot(options, data, plot)
}

/** As many labels as there is room for. */
function isLabelled(day) {
  return plot.clientWidth > 640 || day % 5 === 0 || day === 1
}

function tell({ cursor }) {
  const found = cursor.idx == null ? undefined : days[cursor.idx]
  pointed.textContent =
    found?.label == null
      ? words
      : `${found.label}: ${dollars(found.sales)} of sales, ${dollars(found.refunds)} of refunds`
}

if (plot !== null) {
  draw()
  dark.addEventListener('change', draw)
  new ResizeObserver(() => {
    if (plot.clientWidth !== chart.width) draw()
  }).observe(plot)
}
