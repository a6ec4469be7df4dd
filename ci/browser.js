// ci/browser adds this script to the pages, which contain no scripts.
addEventListener('load', () => {
	const said = []
	let bad = 0
	const complain = (what) => { bad++; said.push('FAIL ' + what) }
	for (const frame of document.querySelectorAll('iframe')) {
		const name = frame.src.split('/').pop() + ' at ' + frame.width
		const page = frame.contentDocument
		if (!page || !page.querySelector('h1')) { complain(name + ': no page'); continue }
		const wide = page.documentElement.scrollWidth
		if (wide > frame.width) complain(name + ': ' + wide + ' pixels wide')
		const figures = page.querySelectorAll('svg')
		if (figures.length === 0) complain(name + ': no figures')
		for (const svg of figures) {
			const title = name + ', ' + svg.querySelector('title').textContent
			const room = svg.getBoundingClientRect()
			if (room.width < 200) complain(title + ': ' + room.width + ' pixels wide')
			const texts = [...svg.querySelectorAll('text')]
			const boxes = texts.map((t) => t.getBoundingClientRect())
			texts.forEach((t, i) => {
				const a = boxes[i]
				if (a.left < room.left - 1 || a.right > room.right + 1 || a.top < room.top - 1 || a.bottom > room.bottom + 1) {
					complain(title + ': cut: ' + t.textContent)
				}
				boxes.slice(0, i).forEach((b, k) => { // letters are lower than their line
					if (a.left < b.right && b.left < a.right && a.top + a.height / 4 < b.bottom && b.top + b.height / 4 < a.bottom) {
						complain(title + ': ' + t.textContent + ' lies on ' + texts[k].textContent)
					}
				})
			})
		}
		said.push(name + ': ' + figures.length + ' figures')
	}
	document.title = bad ? 'bad' : 'ok'
	const pre = document.createElement('pre')
	pre.textContent = said.join('; ')
	document.body.append(pre)
})
