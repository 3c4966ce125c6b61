// @ts-nocheck
// Gives pi its memory: what memex knows goes before a prompt, what was said is kept.
// Whatever fails here stays silent, and pi never waits longer than WAIT. MEMEX_DISABLE=1 turns it off.

import { spawn } from "node:child_process";

const MEMEX = ["memex"];
const WAIT = 10_000; // milliseconds

/** What `memex hook EVENT` prints; "" when it fails. With `leave` it is started and not waited for. */
function hook(event, payload, leave = false) {
	return new Promise((resolve) => {
		try {
			const [program, ...words] = MEMEX;
			const child = spawn(program, [...words, "hook", event, "--agent", "pi"], {
				stdio: ["pipe", leave ? "ignore" : "pipe", "ignore"],
				detached: leave,
				windowsHide: true,
			});
			let text = "";
			const end = (answer) => {
				clearTimeout(timer);
				resolve(answer);
			};
			const timer = setTimeout(() => {
				child.kill();
				end("");
			}, WAIT);
			child.on("error", () => end(""));
			child.on("close", (code) => end(code === 0 ? text.trim() : ""));
			child.stdin.on("error", () => {});
			child.stdout?.setEncoding("utf8").on("data", (part) => {
				text += part;
			});
			child.stdin.end(JSON.stringify(payload), () => {
				if (!leave) return;
				child.unref();
				end("");
			});
		} catch {
			resolve("");
		}
	});
}

function about(ctx) {
	try {
		return {
			session_id: ctx.sessionManager.getSessionId?.(),
			transcript_path: ctx.sessionManager.getSessionFile?.(),
			cwd: ctx.cwd,
		};
	} catch {
		return { cwd: ctx?.cwd };
	}
}

export default function (pi) {
	if (process.env.MEMEX_DISABLE) return;
	let source = "startup";
	let begun = false;

	pi.on("session_start", async (event) => {
		source = event?.reason === "resume" ? "resume" : "startup";
		begun = false;
	});

	pi.on("before_agent_start", async (event, ctx) => {
		const call = about(ctx);
		const blocks = [];
		if (!begun) {
			begun = true;
			blocks.push(await hook("session-start", { ...call, source }));
		}
		blocks.push(await hook("prompt", { ...call, prompt: event?.prompt ?? "" }));
		const content = blocks.filter(Boolean).join("\n\n");
		if (content) return { message: { customType: "memex", content, display: false } };
	});

	pi.on("agent_end", async (_event, ctx) => {
		await hook("transcript", about(ctx), true);
	});

	pi.on("session_before_compact", async (_event, ctx) => {
		await hook("pre-compact", about(ctx));
	});

	pi.on("session_compact", async (_event, ctx) => {
		await hook("post-compact", about(ctx), true);
		source = "compact";
		begun = false; // what was said is gone from the context: the next prompt gets the memory again
	});

	pi.on("session_shutdown", async (_event, ctx) => {
		await hook("session-end", about(ctx), true);
	});
}
