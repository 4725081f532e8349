// Plays every game file of a directory in WebAssembly and compares what comes out, line by line: node compare.cjs TWIN.js DIRECTORY.
// The last line counts the games as a test runner does.
const fs = require("node:fs");
const path = require("node:path");

const [twin, directory] = process.argv.slice(2).map((argument) => path.resolve(argument));
const { played_again } = require(twin);

let [passed, failed, hashes] = [0, 0, 0];
const names = fs.readdirSync(directory).filter((name) => name.endsWith(".game")).sort();
for (const name of names) {
    const native = fs.readFileSync(path.join(directory, name), "utf8").split("\n");
    let again;
    try {
        again = played_again(native.join("\n")).split("\n");
    } catch (error) {
        again = [`error: ${error}`];
    }
    let at = native.findIndex((line, n) => line !== again[n]);
    if (at < 0 && again.length > native.length) at = native.length;
    const turns = native.filter((line) => line.startsWith("= ")).length;
    if (at < 0 && turns > 0) {
        passed += 1;
        hashes += turns;
        console.log(`test ${name} ... ok (${turns} hashes)`);
    } else {
        failed += 1;
        console.log(`test ${name} ... FAILED`);
        if (turns === 0) console.log("  the file holds no hash");
        else console.log(`  line ${at + 1}: natively \`${native[at]}\`, in WebAssembly \`${again[at] ?? again[0]}\``);
    }
}
if (names.length === 0) {
    failed += 1;
    console.log(`no game file in ${directory}`);
}
console.log(`${hashes} hashes compared`);
console.log(`test result: ${failed === 0 ? "ok" : "FAILED"}. ${passed} passed; ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
