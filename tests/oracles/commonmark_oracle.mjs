// Answers, line by line: given a JSON array of Markdown texts, the nodes of each that hold the probe.
import { createInterface } from "node:readline";
import { Parser } from "commonmark";

const PROBE = process.argv[2];
const parser = new Parser();

function holds(text) {
  return typeof text === "string" && text.includes(PROBE);
}

function look(text) {
  const found = [];
  const blocks = [];
  const walker = parser.parse(text).walker();
  for (let event = walker.next(); event; event = walker.next()) {
    if (!event.entering) continue;
    const node = event.node;
    if (node.type === "html_block") blocks.push(node.literal);
    if (holds(node.literal)) found.push([node.type, node.literal]);
    if (holds(node.info)) found.push(["info", ""]);
    if (holds(node.destination) || holds(node.title)) found.push(["link", ""]);
  }
  return [found, blocks];
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(JSON.stringify(JSON.parse(line).map(look)) + "\n");
}
