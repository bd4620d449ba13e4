"""Planted bugs, correct variants and equivalent mutants of ch12_capstone; bugs are grouped by
function in the notebook's order."""

from autograder.mutants import Equivalent, Mutant, Variant

MUTANTS: tuple[Mutant, ...] = (
    # bits_per_byte
    Mutant(
        "bits_per_byte", "nats_for_bits",
        old="nats_per_token / math.log(2) /", new="nats_per_token /",
        why="Nats a byte are called bits, and are fewer.",
        pitfall="bits not made of nats",
    ),
    Mutant(
        "bits_per_byte", "bits_a_token",
        old=" / bytes_a_token", new=" * bytes_a_token / bytes_a_token",
        why="The loss stays that of a token, so that long tokens look bad.",
    ),
    Mutant(
        "bits_per_byte", "nan_accepted",
        old="not bytes_a_token > 0", new="bytes_a_token <= 0",
        why="nan is not below 0 and gets through.",
    ),
    # unigram_logprobs
    Mutant(
        "unigram_logprobs", "nothing_added",
        old="minlength=vocab_size) + 1", new="minlength=vocab_size) + 1e-300",
        why="A token that never came has next to no probability.",
        pitfall="nothing added to counts",
    ),
    Mutant(
        "unigram_logprobs", "sum_without_the_ones",
        old="counts.sum()", new="len(ids)",
        why="The probabilities add up to more than 1.",
    ),
    # bigram_logprobs
    Mutant(
        "bigram_logprobs", "turned_round",
        old="(ids[:-1], ids[1:])", new="(ids[1:], ids[:-1])",
        why="Rows are what came after, and columns what came before.",
        pitfall="pairs turned round",
    ),
    Mutant(
        "bigram_logprobs", "pairs_counted_once",
        old="np.add.at(counts, (ids[:-1], ids[1:]), 1)", new="counts[ids[:-1], ids[1:]] += 1",
        why="An index that comes again is added to only once.",
        pitfall="a repeated pair counted once",
    ),
    Mutant(
        "bigram_logprobs", "leans_on_nothing",
        old="strength * np.exp(unigram_logprobs(ids, vocab_size))", new="strength / vocab_size",
        why="Pairs that never came lean on equal chances and not on the unigram.",
    ),
    Mutant(
        "bigram_logprobs", "columns_add_up",
        old="smooth.sum(axis=1, keepdims=True)", new="smooth.sum(axis=0, keepdims=True)",
        why="Columns add up to 1, rows do not.",
    ),
    Mutant(
        "bigram_logprobs", "strength_not_checked",
        old="if not strength > 0:", new="if strength == 0:",
        why="A negative strength makes logarithms of negative numbers.",
    ),
    # compressed_bits
    Mutant(
        "compressed_bits", "cold",
        old="len(compress(before + data)) - len(compress(before))", new="len(compress(data))",
        why="The compressor has not seen what the model has.",
        pitfall="compressors start cold",
    ),
    Mutant(
        "compressed_bits", "bytes_for_bits",
        old="8 * (len", new="(len",
        why="Bytes a byte are an eighth of the bits.",
    ),
    Mutant(
        "compressed_bits", "per_byte_of_all",
        old="/ len(data)", new="/ len(before + data)",
        why="The bits are spread over the text that was seen before, too.",
    ),
    Mutant(
        "compressed_bits", "nothing_is_free",
        old='raise ValueError("no data, so nothing to divide by")', new="return 0.0",
        why="An empty split looks like one that was foreseen to the last byte.",
    ),
    # contexts
    Mutant(
        "contexts", "the_future",
        old="[padding, inputs]", new="[inputs, padding]",
        why="Padding stands behind, so a context has the tokens that are to be predicted.",
        pitfall="the future in the context",
    ),
    Mutant(
        "contexts", "rows_together",
        old="    rows = np.concatenate([padding, inputs], axis=1)\n",
        new="    rows = np.concatenate([padding[:1].ravel(), inputs.ravel()])[None]\n",
        why="The beginning of a row sees the end of the row before, which is another text.",
        pitfall="rows run together",
    ),
    Mutant(
        "contexts", "newest_first",
        old="windows.reshape(-1, context)", new="windows[:, :, ::-1].reshape(-1, context)",
        why="The newest token comes first.",
    ),
    Mutant(
        "contexts", "narrow",
        old="inputs = np.asarray(inputs, dtype=np.int64)\n"
        "    padding = np.full((len(inputs), context - 1), pad, dtype=np.int64)\n",
        new="inputs = np.asarray(inputs)\n"
        "    padding = np.full((len(inputs), context - 1), pad, dtype=inputs.dtype)\n",
        why="An array of uint16 stays one, and large padding does not fit into it.",
    ),
    # init_params
    Mutant(
        "init_params", "fresh_generator",
        old="        flat = np.empty",
        new="        manual_seed(rng, seed)\n        flat = np.empty",
        why="Each array begins with the same numbers, in another size.",
        pitfall="a fresh generator each time",
    ),
    Mutant(
        "init_params", "not_scaled",
        old="1 / math.sqrt(inputs)", new="1.0",
        why="The hidden layer saturates: nearly all of it is -1 or 1.",
    ),
    Mutant(
        "init_params", "scaled_by_the_variance",
        old="1 / math.sqrt(inputs)", new="1 / inputs",
        why="The root is forgotten, and the hidden layer sleeps.",
    ),
    Mutant(
        "init_params", "width_alone",
        old="inputs = context * width", new="inputs = width",
        why="There are weights for one token of the context.",
    ),
    Mutant(
        "init_params", "loud_logits",
        old="vocab_size, 0.01)", new="vocab_size, 1.0)",
        why="A model that knows nothing is sure of itself, and the first loss is far above ln V.",
    ),
    Mutant(
        "init_params", "seed_ignored",
        old="manual_seed(rng, seed)", new="manual_seed(rng, 42)",
        why="All seeds give the same model.",
    ),
    # forward
    Mutant(
        "forward", "no_bias",
        old=' + params["hidden_bias"]', new="",
        why="The hidden layer has no bias.",
    ),
    Mutant(
        "forward", "linear",
        old='np.tanh(embedded @ params["hidden"] + params["hidden_bias"])',
        new='embedded @ params["hidden"] + params["hidden_bias"]',
        why="Two layers without tanh between them are one.",
    ),
    Mutant(
        "forward", "newest_first",
        old='params["embed"][context_ids]', new='params["embed"][context_ids[:, ::-1]]',
        why="Tokens lie side by side in the wrong order.",
    ),
    # loss_and_grads
    Mutant(
        "loss_and_grads", "not_shifted",
        old="shifted = logits - logits.max(axis=1, keepdims=True)",
        new='shifted = logits\n    np.seterr(over="ignore", invalid="ignore")',
        why="exp of a large logit is infinite, and infinity over infinity is nan.",
        pitfall="logits not shifted",
    ),
    Mutant(
        "loss_and_grads", "token_counted_once",
        old='np.add.at(embed, context_ids, (before @ params["hidden"].T)'
        ".reshape(*context_ids.shape, -1))",
        new='embed[context_ids] += (before @ params["hidden"].T)'
        ".reshape(*context_ids.shape, -1)",
        why="A token that comes again keeps only what came back last.",
        pitfall="a repeated token counted once",
    ),
    Mutant(
        "loss_and_grads", "slope_of_tanh",
        old="(1 - hidden**2)", new="(1 - hidden)",
        why="The slope of tanh is 1 - h squared.",
    ),
    Mutant(
        "loss_and_grads", "gradients_of_the_sum",
        old="    back /= len(targets)\n", new="",
        why="The gradients are those of the sum, and the loss is a mean.",
    ),
    Mutant(
        "loss_and_grads", "loss_is_a_sum",
        old="targets].mean())", new="targets].sum())",
        why="The loss grows with the batch.",
    ),
    Mutant(
        "loss_and_grads", "target_forgotten",
        old="    back[places, targets] -= 1\n", new="",
        why="The gradient pushes all tokens down, the right one too.",
    ),
    Mutant(
        "loss_and_grads", "tanh_forgotten",
        old=" * (1 - hidden**2)", new="",
        why="The tanh is left out on the way back.",
    ),
    Mutant(
        "loss_and_grads", "moves_by_itself",
        old="    grads = {\n", new='    params["embed"] -= embed\n    grads = {\n',
        why="The weights that were passed are changed, and changed again by the step.",
    ),
    # adam_step
    Mutant(
        "adam_step", "not_corrected",
        old="        mean = means[name] / (1 - BETA_1**step)\n", new="        mean = means[name]\n",
        why="The mean begins with 0, so the first steps are a tenth of what they should be.",
        pitfall="means not corrected",
    ),
    Mutant(
        "adam_step", "square_not_corrected",
        old="squares[name] / (1 - BETA_2**step)", new="squares[name]",
        why="The mean of squares begins with 0, so the first steps are ten times too long.",
    ),
    Mutant(
        "adam_step", "uphill",
        old="params[name] - rate", new="params[name] + rate",
        why="The loss goes up.",
    ),
    Mutant(
        "adam_step", "epsilon_inside",
        old="(np.sqrt(square) + EPSILON)", new="np.sqrt(square + EPSILON)",
        why="Inside the root, epsilon is as large as a gradient of 1e-4.",
    ),
    Mutant(
        "adam_step", "in_place",
        old="    means = {name:",
        new="    for name in params:\n"
        "        params[name] *= 1 - rate * 0.01\n"
        "    means = {name:",
        why="The weights that were passed decay in place.",
    ),
    # train
    Mutant(
        "train", "one_batch_too_many",
        old="    for step, (inputs, targets) in enumerate(islice(batches, steps)):\n",
        new="    for step, (inputs, targets) in enumerate(batches):\n"
        "        if step == steps:\n            break\n",
        why="A batch is taken and thrown away, which a resumed run then misses.",
    ),
    Mutant(
        "train", "constant_rate",
        old="rate * (1 - step / steps)", new="rate",
        why="The rate does not fall, so the end is restless.",
        pitfall="a rate that stays",
    ),
    Mutant(
        "train", "ends_at_zero_early",
        old="step / steps", new="(step + 1) / steps",
        why="The rate falls a step too early, and the last step does nothing.",
    ),
    Mutant(
        "train", "step_not_counted",
        old="squares, step + 1, falling", new="squares, 1, falling",
        why="Adam's correction is that of the first step, always.",
    ),
    Mutant(
        "train", "means_forgotten",
        old="params, means, squares = adam_step(", new="params, _, _ = adam_step(",
        why="Both means are 0 again at each step.",
    ),
    # evaluate
    Mutant(
        "evaluate", "mean_of_means",
        old="        total += float((np.log(np.exp(shifted).sum(axis=1)) - chosen).sum())\n"
        "    return total / len(targets)\n",
        new="        total += float((np.log(np.exp(shifted).sum(axis=1)) - chosen).mean())\n"
        "    return total / -(-len(targets) // piece)\n",
        why="The mean of the means of pieces: a short last piece weighs as much as a full one.",
        pitfall="mean of means",
    ),
    Mutant(
        "evaluate", "pieces_begin_anew",
        old="forward(params, all_contexts[start : start + piece])",
        new="forward(params, contexts_of(params, ids[None, start : start + piece][:, : len("
        "targets) - start]))",
        why="Each piece begins with padding, as if nothing had been before it.",
    ),
    Mutant(
        "evaluate", "first_piece_alone",
        old="range(0, len(targets), piece)", new="range(0, min(piece, len(targets)), piece)",
        why="What comes after the first piece is predicted for nothing.",
    ),
    Mutant(
        "evaluate", "per_id",
        old="total / len(targets)", new="total / len(ids)",
        why="The first id is counted, though nobody predicted it.",
    ),
    Mutant(
        "evaluate", "not_shifted",
        old="shifted = logits - logits.max(axis=1, keepdims=True)", new="shifted = logits",
        why="exp of a large logit is infinite.",
    ),
    Mutant(
        "evaluate", "one_id_is_enough",
        old="if len(ids) < 2:", new="if len(ids) < 1:",
        why="The mean of nothing is an error about division, or nan.",
    ),
    # generate
    Mutant(
        "generate", "same_coin",
        old="random_f32(state))", new="random_f32(XorshiftState(seed)))",
        why="Every choice takes the first coin of the seed.",
        pitfall="a coin for all",
    ),
    Mutant(
        "generate", "separator_kept",
        old="        if chosen == separator:\n            break\n        ids.append(chosen)\n",
        new="        ids.append(chosen)\n        if chosen == separator:\n            break\n",
        why="The separator is part of the text.",
    ),
    Mutant(
        "generate", "separator_passed_over",
        old="            break\n", new="            pass\n",
        why="The text goes on after its end.",
    ),
    Mutant(
        "generate", "oldest_tokens",
        old="ids[-context:]", new="ids[start - context : start]",
        why="The context stays that of the prompt.",
    ),
    Mutant(
        "generate", "prompt_returned",
        old="return ids[start:]", new="return ids[context:]",
        why="The prompt comes back with what follows it.",
    ),
    Mutant(
        "generate", "no_top_k",
        old="top_k(apply_temperature(logits[0], temperature), k)",
        new="apply_temperature(logits[0], temperature)",
        why="Every token may be chosen.",
    ),
    Mutant(
        "generate", "no_temperature",
        old="apply_temperature(logits[0], temperature)", new="logits[0]",
        why="The temperature is not looked at.",
    ),
    # SealedSplit
    Mutant(
        "SealedSplit", "no_seal",
        old="            if self.record.exists():\n                raise FileExistsError\n"
        "            _, ids = read_bin(self.path)\n"
        '            with self.record.open("x", encoding',
        new="            _, ids = read_bin(self.path)\n"
        '            with self.record.open("w", encoding',
        why="The record is written over, and the ids are given each time.",
        pitfall="the seal left open",
    ),
    Mutant(
        "SealedSplit", "asked_and_then_written",
        old='self.record.open("x", encoding', new='self.record.open("w", encoding',
        why="Two processes that ask at the same moment are both told that there is no record.",
        pitfall="asked and then written",
    ),
    Mutant(
        "SealedSplit", "read_before_asked",
        old="            if self.record.exists():\n                raise FileExistsError\n", new="",
        why="With the file gone, nobody is told that the split was opened before.",
    ),
    Mutant(
        "SealedSplit", "kept_in_memory",
        old="            if self.record.exists():\n                raise FileExistsError\n"
        "            _, ids = read_bin(self.path)\n"
        '            with self.record.open("x", encoding="utf-8") as file:\n'
        "                file.write(reason)\n",
        new='            if getattr(self, "opened", False):\n'
        "                raise FileExistsError\n"
        "            _, ids = read_bin(self.path)\n"
        "            self.opened = True\n"
        '            self.record.write_text(reason, encoding="utf-8")\n',
        why="The object remembers, and the next object does not.",
    ),
    Mutant(
        "SealedSplit", "spent_by_a_fault",
        old="            _, ids = read_bin(self.path)\n"
        '            with self.record.open("x", encoding="utf-8") as file:\n'
        "                file.write(reason)\n",
        new='            with self.record.open("x", encoding="utf-8") as file:\n'
        "                file.write(reason)\n"
        "            _, ids = read_bin(self.path)\n",
        why="The record is written before the file is read, so a wrong path spends the one look.",
    ),
    Mutant(
        "SealedSplit", "reason_not_told",
        old=", for {before!r}, says", new=", says",
        why="The message does not say what the split was opened for.",
    ),
    # datasheet
    Mutant(
        "datasheet", "joined_without",
        old="EOT.join(texts)", new='"".join(texts)',
        why="The hash is that of the texts without separators, so chapter 1 has another.",
        pitfall="separators left out of the hash",
    ),
    Mutant(
        "datasheet", "characters",
        old='len("".join(texts).encode())', new='len("".join(texts))',
        why="Characters are counted where bytes are said.",
    ),
    Mutant(
        "datasheet", "empty_split_raises",
        old="bytes_per_token(texts, ids) if tokens else None", new="bytes_per_token(texts, ids)",
        why="A corpus without val has no datasheet.",
    ),
    Mutant(
        "datasheet", "names_not_compared",
        old="if list(splits) != list(encoded):", new="if len(splits) != len(encoded):",
        why="Other names of as many splits get further, to an error that says nothing.",
    ),
    Mutant(
        "datasheet", "sources_sorted",
        old="in sources.items()", new="in sorted(sources.items())",
        why="Sources are in another order than they were given.",
    ),
)

LOOPS = (
    (
        "unigram_logprobs",
        '''\
def unigram_logprobs(ids, vocab_size):
    counts = [1.0] * vocab_size
    for token in ids:
        counts[int(token)] += 1
    return np.log(counts) - math.log(sum(counts))
''',
    ),
    (
        "bigram_logprobs",
        '''\
def bigram_logprobs(ids, vocab_size, strength):
    if math.isnan(strength) or strength <= 0:
        raise ValueError(f"no strength: {strength}")
    single = np.exp(unigram_logprobs(ids, vocab_size))
    found = np.tile(strength * single, (vocab_size, 1))
    totals = np.full(vocab_size, float(strength))
    for a, b in zip(list(ids), list(ids)[1:]):
        found[a, b] += 1
        totals[a] += 1
    return np.log(found) - np.log(totals)[:, None]
''',
    ),
    (
        "contexts",
        '''\
def contexts(inputs, context, pad):
    found = []
    for row in np.asarray(inputs).tolist():
        row = [pad] * (context - 1) + row
        found += [row[end - context : end] for end in range(context, len(row) + 1)]
    return np.array(found, dtype=np.int64).reshape(-1, context)
''',
    ),
    (
        "generate",
        '''\
def generate(params, prompt, n, seed, temperature=0.8, k=40):
    context = params["hidden"].shape[0] // params["embed"].shape[1]
    end = params["embed"].shape[0] - 1
    seen, found, state = list(prompt), [], XorshiftState(seed)
    for _ in range(n):
        window = np.array(([end] * context + seen)[-context:])
        logits = forward(params, window[None, :])[1].ravel()
        logits = top_k(apply_temperature(logits, temperature), k)
        token = sample_softmax(logits, len(logits), random_f32(state))
        if token == end:
            return found
        found.append(token)
        seen.append(token)
    return found
''',
    ),
)

OTHER_WAY_BACK = (
    (
        "forward",
        '''\
def forward(params, context_ids):
    n, context = np.shape(context_ids)
    width = params["embed"].shape[1]
    total = params["hidden_bias"]
    for place in range(context):
        part = params["hidden"][place * width : (place + 1) * width]
        total = total + params["embed"][np.asarray(context_ids)[:, place]] @ part
    h = np.tanh(total)
    return h, np.dot(h, params["out"]) + params["out_bias"]
''',
    ),
    (
        "loss_and_grads",
        '''\
def loss_and_grads(params, context_ids, targets):
    h, logits = forward(params, context_ids)
    n, context = context_ids.shape
    width = params["embed"].shape[1]
    weights = np.exp(logits - logits.max(axis=1)[:, None])
    probabilities = weights / weights.sum(axis=1)[:, None]
    largest = logits.max(axis=1)
    chosen = logits[np.arange(n), targets]
    loss = float((np.log(weights.sum(axis=1)) + largest - chosen).sum() / n)
    hot = np.zeros_like(logits)
    hot[np.arange(n), targets] = 1
    delta = (probabilities - hot) / n
    inner = np.dot(delta, params["out"].T)
    inner = inner - inner * h * h
    grads = {name: np.zeros_like(array) for name, array in params.items()}
    grads["out"] += h.T @ delta
    grads["out_bias"] += delta.sum(0)
    grads["hidden_bias"] += inner.sum(0)
    returned = inner @ params["hidden"].T
    for place in range(context):
        part = slice(place * width, (place + 1) * width)
        tokens = context_ids[:, place]
        grads["hidden"][part] += params["embed"][tokens].T @ inner
        for row, token in enumerate(tokens):
            grads["embed"][token] += returned[row, part]
    return loss, grads
''',
    ),
    (
        "evaluate",
        '''\
def evaluate(params, ids, piece=1024):
    ids = np.array(ids, dtype=np.int64)
    if ids.size <= 1:
        raise ValueError(f"nothing to predict, with {ids.size} ids")
    rows, wanted = contexts_of(params, ids[:-1][None]), ids[1:]
    parts = [slice(i, i + piece) for i in range(0, wanted.size, piece)]
    sums = [loss_and_grads(params, rows[p], wanted[p])[0] * wanted[p].size for p in parts]
    return math.fsum(sums) / wanted.size
''',
    ),
)

OTHER_STATE = (
    (
        "init_params",
        '''\
def init_params(vocab_size, context, width, hidden, seed):
    generator = MT19937State()
    manual_seed(generator, seed)
    fan_in = context * width
    found = {
        "embed": np.zeros((vocab_size, width), dtype=np.float32),
        "hidden": np.zeros((fan_in, hidden), dtype=np.float32),
        "hidden_bias": np.zeros((hidden,), dtype=np.float32),
        "out": np.zeros((hidden, vocab_size), dtype=np.float32),
        "out_bias": np.zeros((vocab_size,), dtype=np.float32),
    }
    for name, std in (("embed", 1), ("hidden", fan_in**-0.5), ("out", 0.01)):
        normal_(found[name].ravel(), 0, std, generator)
    return found
''',
    ),
    (
        "adam_step",
        '''\
def adam_step(params, grads, means, squares, step, rate):
    new, m, v = {}, {}, {}
    for name in params:
        m[name] = means[name] + (grads[name] - means[name]) * (1 - BETA_1)
        v[name] = squares[name] + (grads[name] * grads[name] - squares[name]) * (1 - BETA_2)
        size = rate / (1 - BETA_1**step)
        root = np.sqrt(v[name]) / math.sqrt(1 - BETA_2**step)
        new[name] = params[name] - size * m[name] / (root + EPSILON)
    return new, m, v
''',
    ),
    (
        "train",
        '''\
def train(params, batches, steps, rate):
    coming, losses = iter(batches), []
    means, squares = zeros_like(params), zeros_like(params)
    while len(losses) < steps:
        inputs, targets = next(coming)
        rows = contexts_of(params, inputs)
        loss, grads = loss_and_grads(params, rows, np.ravel(targets))
        now = rate * (steps - len(losses)) / steps
        losses.append(loss)
        params, means, squares = adam_step(params, grads, means, squares, len(losses), now)
    return params, losses
''',
    ),
    (
        "SealedSplit",
        '''\
class SealedSplit:
    def __init__(self, path, record):
        self._source, self._note = path, record

    def open(self, reason):
        if os.path.lexists(self._note):
            self._refuse()
        ids = read_bin(self._source)[1]
        try:
            file = open(self._note, "xb")
        except FileExistsError:
            self._refuse()
        with file:
            file.write(reason.encode())
        return np.array(ids)

    def _refuse(self):
        reason = self._note.read_bytes().decode()
        raise RuntimeError(f"{self._note}: opened for {reason}")
''',
    ),
    (
        "datasheet",
        '''\
def datasheet(title, sources, splits, encoded, tokenizer):
    if set(splits) != set(encoded):
        raise ValueError("splits and ids have different names")
    sheet = {"format": "llmdata-datasheet", "version": 1, "title": title,
             "sources": [], "splits": [], "tokenizer": {}}
    for name in sources:
        data = sources[name]
        sheet["sources"].append(dict(name=name, bytes=len(data),
                                     sha256=hashlib.sha256(data).hexdigest()))
    for name, texts in splits.items():
        size = sum(len(text.encode("utf-8")) for text in texts)
        tokens = sum(len(ids) for ids in encoded[name])
        sheet["splits"].append({
            "name": name, "documents": len(texts), "bytes": size, "tokens": tokens,
            "bytes_per_token": size / tokens if tokens else None,
            "sha256": hashlib.sha256(EOT.join(texts).encode("utf-8")).hexdigest(),
        })
    sheet["tokenizer"]["vocab_size"] = json.loads(tokenizer.decode())["vocab_size"]
    sheet["tokenizer"]["sha256"] = hashlib.sha256(tokenizer).hexdigest()
    return sheet
''',
    ),
)

VARIANTS: tuple[Variant, ...] = (
    Variant("loops", "Counts, contexts and ids one after the other, in Python.", LOOPS),
    Variant(
        "other_way_back",
        "The hidden layer is added up token by token, and evaluation goes through the loss.",
        OTHER_WAY_BACK,
    ),
    Variant(
        "other_state",
        "Arrays filled in place at the beginning, Adam in another order of factors, and "
        "attributes of other names.",
        OTHER_STATE,
    ),
)

NEGATIVE = "Of a shape, NumPy takes any negative length for the one that is left."
PIECES = "The size of pieces does not change the result, but for the last bits."

EQUIVALENTS: tuple[Equivalent, ...] = (
    Equivalent(
        "contexts",
        "`return windows.reshape(-1, context)` -> `return windows.reshape(-2, context)`", NEGATIVE,
    ),
    *(
        Equivalent(
            function,
            "`params['embed'][context_ids].reshape(len(context_ids), -1)` -> "
            "`params['embed'][context_ids].reshape(len(context_ids), -2)`", NEGATIVE,
        )
        for function in ("forward", "loss_and_grads")
    ),
    Equivalent("loss_and_grads", "`-1` -> `-2`", NEGATIVE),
    Equivalent(
        "train", "`np.asarray(targets).reshape(-1)` -> `np.asarray(targets).reshape(-2)`", NEGATIVE
    ),
    Equivalent("evaluate", "`1024` -> `1025`", PIECES),
    Equivalent("evaluate", "`1024` -> `1023`", PIECES),
    Equivalent(
        "generate",
        "`top_k(apply_temperature(logits[0], temperature), k)` -> "
        "`top_k(apply_temperature(logits[-1], temperature), k)`",
        "One context has one row of logits, the first and the last.",
    ),
)
