package cli

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/simdrank/simdrank/internal/files"
	"github.com/simdrank/simdrank/internal/text"
	"github.com/simdrank/simdrank/rank"
)

// A Setting is a flag of train, and the line of a configuration file that sets it.
type Setting struct {
	Line        int
	Name, Text  string // LightGBM's parameter and its value, as written in the file
	Flag, Value string // for flags without a value "true" or "false"; header has no flag

	// Only is the condition under which LightGBM uses the parameter: a flag and its value, as in
	// dart=true, or its values, as in objective=ndcg|binary. "" means always.
	Only string
	// Numbered reports whether Value holds feature numbers as LightGBM counts them: as written in
	// LETOR and libsvm files, and from 0 for columns of tables.
	Numbered bool
	// Columns reports whether the parameter describes columns. Value then holds their names or, if
	// Numbered is set, their numbers.
	Columns bool
	// Features is the number of values of a parameter that has a value per feature. LightGBM
	// requires a value for every feature. It is 0 for other parameters.
	Features int
}

// A parameter is a parameter of LightGBM.
type parameter struct {
	names string // LightGBM's names, the main one first
	flag  string // flag with the same meaning; "" for none
	// words maps the values of the parameter to values of the flag; nil if they are the same
	words map[string]string
	none  bool   // a negative number means none in LightGBM, which is 0 for the flag
	needs string // Only of the Setting
	// only lists the values that train supports, for a parameter without a flag. The first is
	// LightGBM's default. It is nil if the parameter does not influence the model.
	only []string
}

var (
	booleans = map[string]string{"true": "true", "1": "true", "+": "true", "false": "false", "0": "false",
		"-": "false"}
	opposite = map[string]string{"true": "false", "1": "false", "+": "false", "false": "true", "0": "true",
		"-": "true"}
	objectives = map[string]string{"lambdarank": "ndcg", "rank_xendcg": "xe-ndcg", "xendcg": "xe-ndcg",
		"xe_ndcg": "xe-ndcg", "xe_ndcg_mart": "xe-ndcg", "xendcg_mart": "xe-ndcg", "binary": "binary",
		"regression": "regression", "regression_l2": "regression", "l2": "regression",
		"mean_squared_error": "regression", "mse": "regression", "l2_root": "regression",
		"root_mean_squared_error": "regression", "rmse": "regression"}
	boostings = map[string]string{"gbdt": "false", "gbrt": "false", "dart": "true"}
	off       = []string{"false", "0", "-"}

	metricNames = map[string]string{"ndcg": "ndcg", "lambdarank": "ndcg", "rank_xendcg": "ndcg", "xendcg": "ndcg",
		"map": "map", "mean_average_precision": "map"}
)

// parameters lists the parameters of LightGBM 4.6 with all their names, except the parameters for
// prediction and conversion, which are reported as unknown.
var parameters = []parameter{
	{names: "task task_type", only: []string{"train", "training"}},
	{names: "objective objective_type app application loss", flag: "objective", words: objectives},
	{names: "boosting boosting_type boost", flag: "dart", words: boostings},
	{names: "data_sample_strategy", only: []string{"bagging"}},
	{names: "data train train_data train_data_file data_filename", flag: "data"},
	{names: "valid test valid_data valid_data_file test_data test_data_file valid_filenames", flag: "valid"},
	{names: "input_model model_input model_in", flag: "start"},
	{names: "output_model model_output model_out", flag: "output"},

	{names: "num_iterations num_iteration n_iter num_tree num_trees num_round num_rounds nrounds num_boost_round " +
		"n_estimators max_iter", flag: "trees"},
	{names: "learning_rate shrinkage_rate eta", flag: "learning-rate"},
	{names: "num_leaves num_leaf max_leaves max_leaf max_leaf_nodes", flag: "leaves"},
	{names: "max_depth", flag: "depth", none: true},
	{names: "min_data_in_leaf min_data_per_leaf min_data min_child_samples min_samples_leaf", flag: "min-rows"},
	{names: "min_sum_hessian_in_leaf min_sum_hessian_per_leaf min_sum_hessian min_hessian min_child_weight",
		flag: "min-hessian"},
	{names: "min_gain_to_split min_split_gain", flag: "min-gain"},
	{names: "lambda_l1 reg_alpha l1_regularization", flag: "l1"},
	{names: "lambda_l2 reg_lambda lambda l2_regularization", flag: "l2"},
	{names: "feature_fraction sub_feature colsample_bytree", flag: "feature-fraction"},
	{names: "max_bin max_bins", flag: "bins"},
	{names: "seed random_seed random_state", flag: "seed"},
	{names: "num_threads num_thread nthread nthreads n_jobs", flag: "threads", none: true},
	{names: "early_stopping_round early_stopping_rounds early_stopping n_iter_no_change", flag: "early-stopping",
		none: true},
	{names: "zero_as_missing", flag: "zero-missing", words: booleans},
	{names: "max_cat_to_onehot", flag: "one-hot"},
	{names: "cat_smooth", flag: "cat-smooth"},
	{names: "cat_l2", flag: "cat-l2"},
	{names: "min_data_per_group", flag: "cat-rows"},
	{names: "max_cat_threshold", flag: "max-categories"},
	{names: "sigmoid", flag: "sigmoid"},
	{names: "lambdarank_truncation_level", flag: "truncation"},
	{names: "lambdarank_norm", flag: "no-norm", words: opposite},
	{names: "label_gain", flag: "label-gain"},
	{names: "extra_trees extra_tree", flag: "extra-trees", words: booleans},
	{names: "feature_fraction_bynode sub_feature_bynode colsample_bynode", flag: "node-fraction"},
	{names: "max_delta_step max_tree_output max_leaf_output", flag: "max-delta-step", none: true},
	{names: "path_smooth", flag: "path-smooth"},
	{names: "drop_rate rate_drop", flag: "drop-rate", needs: "dart=true"},
	{names: "max_drop", flag: "max-drop", needs: "dart=true", none: true},
	{names: "skip_drop", flag: "skip-drop", needs: "dart=true"},
	{names: "xgboost_dart_mode", flag: "xgboost-dart", needs: "dart=true", words: booleans},
	{names: "uniform_drop", flag: "uniform-drop", needs: "dart=true", words: booleans},
	// Function settings handles these, because they do not correspond to one flag.
	{names: "metric metrics metric_types"},
	{names: "eval_at ndcg_eval_at ndcg_at map_eval_at map_at"},
	{names: "bagging_fraction sub_row subsample bagging"},
	{names: "bagging_freq subsample_freq"},
	{names: "bagging_by_query"},
	{names: "categorical_feature cat_feature categorical_column cat_column categorical_features"},
	{names: "interaction_constraints"},
	{names: "monotone_constraints mc monotone_constraint monotonic_cst"},
	{names: "lambdarank_position_bias_regularization"},
	{names: "header has_header", words: booleans},
	{names: "label_column label", flag: "label-column"},
	{names: "weight_column weight", flag: "weight-column"},
	{names: "group_column group group_id query_column query query_id", flag: "query-column"},
	{names: "ignore_column ignore_feature blacklist", flag: "ignore-column"},

	{names: "monotone_constraints_method monotone_constraining_method mc_method", only: []string{"basic"}},
	{names: "monotone_penalty monotone_splits_penalty ms_penalty mc_penalty", only: []string{"0"}},
	{names: "pos_bagging_fraction pos_sub_row pos_subsample pos_bagging", only: []string{"1"}},
	{names: "neg_bagging_fraction neg_sub_row neg_subsample neg_bagging", only: []string{"1"}},
	{names: "early_stopping_min_delta", only: []string{"0"}},
	{names: "first_metric_only", only: []string{"true", "1", "+"}},
	{names: "linear_tree linear_trees", only: off},
	{names: "linear_lambda", only: []string{"0"}},
	{names: "feature_contri feature_contrib fc fp feature_penalty", only: []string{""}},
	{names: "forcedsplits_filename fs forced_splits_filename forced_splits_file forced_splits", only: []string{""}},
	{names: "forcedbins_filename", only: []string{""}},
	{names: "cegb_tradeoff", only: []string{"1"}},
	{names: "cegb_penalty_split", only: []string{"0"}},
	{names: "cegb_penalty_feature_lazy", only: []string{""}},
	{names: "cegb_penalty_feature_coupled", only: []string{""}},
	{names: "use_quantized_grad", only: off},
	{names: "max_bin_by_feature", only: []string{""}},
	{names: "use_missing", only: []string{"true", "1", "+"}},
	{names: "num_class num_classes", only: []string{"1"}},
	{names: "is_unbalance unbalance unbalanced_sets", only: off},
	{names: "scale_pos_weight", only: []string{"1"}},
	{names: "reg_sqrt", only: off},
	{names: "boost_from_average", only: []string{"true", "1", "+"}},
	{names: "snapshot_freq save_period", only: []string{"-1", "0"}},
	{names: "num_machines num_machine", only: []string{"1"}},
	{names: "save_binary is_save_binary is_save_binary_file", only: off},
	{names: "device_type device", only: []string{"cpu"}},

	// The following parameters influence speed, memory and printed output, or random numbers and
	// bins, which differ from LightGBM's anyway.
	{names: "config config_file"},
	{names: "tree_learner tree tree_type tree_learner_type"},
	{names: "deterministic"}, {names: "force_col_wise"}, {names: "force_row_wise"},
	{names: "histogram_pool_size hist_pool_size"}, {names: "top_k topk"},
	{names: "bagging_seed bagging_fraction_seed"}, {names: "feature_fraction_seed"}, {names: "extra_seed"},
	{names: "drop_seed"}, {names: "objective_seed"}, {names: "data_random_seed data_seed"},
	{names: "top_rate"}, {names: "other_rate"}, // GOSS
	{names: "num_grad_quant_bins"}, {names: "quant_train_renew_leaf"}, {names: "stochastic_rounding"},
	{names: "bin_construct_sample_cnt subsample_for_bin"}, {names: "min_data_in_bin"},
	{names: "is_enable_sparse is_sparse enable_sparse sparse"}, {names: "enable_bundle is_enable_bundle bundle"},
	{names: "feature_pre_filter"}, {names: "pre_partition is_pre_partition"},
	{names: "two_round two_round_loading use_two_round_loading"}, {names: "precise_float_parser"},
	{names: "verbosity verbose"}, {names: "metric_freq output_freq"}, {names: "saved_feature_importance_type"},
	{names: "is_provide_training_metric training_metric is_training_metric train_metric"},
	{names: "local_listen_port local_port port"}, {names: "time_out"}, {names: "machines workers nodes"},
	{names: "machine_list_filename machine_list_file machine_list mlist"},
	{names: "gpu_platform_id"}, {names: "gpu_device_id"}, {names: "gpu_device_id_list"}, {names: "gpu_use_dp"},
	{names: "num_gpu"}, {names: "alpha"}, {names: "fair_c"}, {names: "poisson_max_delta_step"},
	{names: "tweedie_variance_power"}, {names: "multi_error_top_k"}, {names: "auc_mu_weights"},
	{names: "refit_decay_rate"}, {names: "parser_config_file"},
}

// A configLine is a line of a configuration file.
type configLine struct {
	line        int
	name, value string // as written in the file
	of          *parameter
}

// ReadConfig reads a configuration file of LightGBM's command and returns the corresponding flags
// of train. Lines have the form NAME = VALUE, with comments after #. It returns a
// [*rank.ParseError] if a parameter is unknown or has a value that train does not support.
func ReadConfig(r io.Reader, o ...rank.ReadOptions) ([]Setting, error) {
	r, err := text.Plain(files.NewBudget(r, o...).Reader(r, "the parameters", 64))
	if err != nil {
		return nil, err
	}
	var lines []configLine
	scanner := bufio.NewScanner(r)
	n := 1
	for ; scanner.Scan(); n++ {
		line, _, _ := strings.Cut(scanner.Text(), "#")
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		name, value, found := strings.Cut(line, "=")
		l := configLine{line: n, name: strings.Trim(name, " \t\"'"), value: strings.Trim(value, " \t\"'")}
		if !found {
			return nil, l.errorf("%q must have the form NAME = VALUE", text.Excerpt(line))
		}
		at := slices.IndexFunc(parameters, func(p parameter) bool {
			return slices.Contains(strings.Fields(p.names), l.name)
		})
		if at < 0 {
			return nil, l.errorf("unknown parameter %s = %s", text.Excerpt(l.name), text.Excerpt(l.value))
		}
		l.of = &parameters[at]
		if i := slices.IndexFunc(lines, func(o configLine) bool { return o.of == l.of }); i >= 0 {
			return nil, l.errorf("%s = %s: line %d already sets %s = %s", l.name, l.value, lines[i].line, lines[i].name,
				lines[i].value)
		}
		lines = append(lines, l)
	}
	if err := scanner.Err(); err != nil {
		return nil, &rank.ParseError{Line: n, Err: text.ScanError(err)}
	}
	return settings(lines)
}

// errorf returns an error about a line.
func (l *configLine) errorf(format string, args ...any) error {
	return &rank.ParseError{Line: l.line, Err: fmt.Errorf(format, args...)}
}

// settings returns the flags that lines set.
func settings(lines []configLine) (list []Setting, err error) {
	// LightGBM's defaults of the parameters that act together
	metric, at, fraction, every, byQuery := configLine{}, configLine{value: "1,2,3,4,5"}, configLine{value: "1"},
		configLine{value: "0"}, configLine{value: "false"}
	positions, objective := configLine{}, ""
	add := func(l configLine, flag, value string) *Setting {
		list = append(list, Setting{Line: l.line, Name: l.name, Text: l.value, Flag: flag, Value: value})
		return &list[len(list)-1]
	}
	for _, l := range lines {
		value := l.value
		switch main, _, _ := strings.Cut(l.of.names, " "); {
		case main == "metric":
			metric = l
		case main == "eval_at":
			at = l
		case main == "bagging_fraction":
			fraction = l
		case main == "bagging_freq":
			every = l
		case main == "bagging_by_query":
			byQuery = l
		case main == "categorical_feature":
			if value == "" {
				continue
			}
			names, named := strings.CutPrefix(value, "name:")
			add(l, "categorical", names).Numbered = !named
		case main == "interaction_constraints":
			if value == "" {
				continue
			}
			sets, err := l.interactions()
			if err != nil {
				return nil, err
			}
			add(l, "interactions", sets).Numbered = true
		case main == "monotone_constraints":
			if value == "" {
				continue
			}
			signs, features, err := l.signs()
			if err != nil {
				return nil, err
			}
			if signs != "" {
				s := add(l, "monotone", signs)
				s.Numbered, s.Features = true, features
			}
		case main == "lambdarank_position_bias_regularization":
			positions = l
		case l.of.only != nil:
			if !slices.ContainsFunc(l.of.only, func(v string) bool { return sameValue(v, value) }) {
				return nil, l.errorf("%s = %s is not supported: train supports only %s", l.name, value,
					assignment(l.name, l.of.only[0]))
			}
		case main == "header":
			word, err := l.word()
			if err != nil {
				return nil, err
			}
			add(l, "", word).Columns = true
		case strings.HasSuffix(l.of.flag, "-column"):
			if value == "" {
				continue
			}
			names, named := strings.CutPrefix(value, "name:")
			s := add(l, l.of.flag, names)
			s.Columns, s.Numbered = true, !named
		case l.of.flag != "" && value != "":
			if l.of.words != nil {
				if value, err = l.word(); err != nil {
					return nil, err
				}
			}
			if value, err = l.number(value); err != nil {
				return nil, err
			}
			if main == "objective" {
				objective = value
			}
			s := add(l, l.of.flag, value)
			if s.Only = l.of.needs; objectivesOf[s.Flag] != nil {
				s.Only = "objective=" + strings.Join(objectivesOf[s.Flag], "|")
			}
		}
	}
	names := metric.value
	if metric.line == 0 && at.line > 0 && objective != "binary" && objective != "regression" {
		metric, names = at, "ndcg" // LightGBM's metric of rankings
	}
	if metric.line > 0 {
		value, err := metric.metrics(names, &at)
		if err != nil {
			return nil, err
		}
		add(metric, "metric", value)
	}
	if positions.value != "" && (objective == "" || objective == "ndcg") {
		// LightGBM learns from positions whenever the data have them. Only a penalty shows that
		// they do.
		if !sameValue(positions.value, "0") {
			add(positions, "position-bias", "additive")
		}
		add(positions, "position-l2", positions.value).Only = "position-bias=additive"
	}
	often, err := strconv.Atoi(every.value)
	if err != nil || often < 0 {
		return nil, every.errorf("%s = %s: must be an integer that is at least 0", every.name, every.value)
	}
	whole := sameValue(fraction.value, "1")
	switch query, known := booleans[byQuery.value]; {
	case !known:
		return nil, byQuery.errorf("%s = %s: must be true or false", byQuery.name, byQuery.value)
	case often == 0 || whole: // LightGBM then uses all documents too
	case often > 1:
		return nil, every.errorf("%s = %s is not supported: train draws a new sample for each tree, as with %s = 1", every.name,
			every.value, every.name)
	case query == "true":
		add(fraction, "query-fraction", fraction.value)
	default:
		add(fraction, "row-fraction", fraction.value)
	}
	return list, nil
}

// number returns the value for a flag. A value that begins like a number must be a decimal number.
// Leading zeros are removed, because integer flags use Go's syntax: 0x1f, 1_0, and 010 for 8.
func (l *configLine) number(value string) (string, error) {
	digits := strings.TrimLeft(value, "+-")
	if digits == "" || digits[0] < '0' || digits[0] > '9' || strings.Contains(digits, ",") {
		return value, nil
	}
	v, err := text.ParseNumber(value, 64)
	if err != nil {
		return "", l.errorf("%s = %s: must be a decimal number", l.name, text.Excerpt(l.value))
	}
	if l.of.none && v < 0 {
		return "0", nil
	}
	if n, err := strconv.ParseInt(value, 10, 64); err == nil {
		return strconv.FormatInt(n, 10), nil
	}
	return value, nil
}

// word returns the value of the flag that corresponds to the value of a line.
func (l *configLine) word() (string, error) {
	word, known := l.of.words[strings.ToLower(l.value)]
	if !known {
		return "", l.errorf("%s = %s is not supported: must be %s", l.name, l.value,
			OneOf(slices.Sorted(maps.Keys(l.of.words))))
	}
	return word, nil
}

// metrics returns the metrics that a line sets, with the cutoffs of another line.
func (l *configLine) metrics(of string, at *configLine) (string, error) {
	var names []string
	for name := range strings.SplitSeq(of, ",") {
		name = metricNames[strings.TrimSpace(name)]
		if name == "" {
			return "", l.errorf("%s = %s is not supported: must be ndcg or map (use --metric for other metrics)", l.name,
				l.value)
		}
		for k := range strings.SplitSeq(at.value, ",") {
			n, err := strconv.Atoi(strings.TrimSpace(k))
			if err != nil || n < 1 {
				return "", at.errorf("%s = %s: must be integers that are at least 1", at.name, at.value)
			}
			names = append(names, fmt.Sprintf("%s@%d", name, n))
		}
	}
	return strings.Join(names, ","), nil
}

// interactions converts sets such as [0,1,2],[2,3] to the form of --interactions.
func (l *configLine) interactions() (string, error) {
	var sets []string
	for rest := "," + strings.ReplaceAll(l.value, " ", ""); rest != ""; {
		set, found := strings.CutPrefix(rest, ",[")
		if found {
			set, rest, found = strings.Cut(set, "]")
		}
		for number := range strings.SplitSeq(set, ",") {
			if _, err := strconv.ParseUint(number, 10, 31); !found || err != nil {
				return "", l.errorf("%s = %s: must be sets of feature numbers, e.g. [1,2,3],[3,4]", l.name, l.value)
			}
		}
		sets = append(sets, set)
	}
	return strings.Join(sets, ";"), nil
}

// signs converts values such as 1,0,-1, one per feature, to the form of --monotone. It also returns
// their number.
func (l *configLine) signs() (list string, features int, err error) {
	var signs []string
	for value := range strings.SplitSeq(l.value, ",") {
		switch strings.TrimSpace(value) {
		case "1", "+1":
			signs = append(signs, fmt.Sprintf("%d+", features))
		case "-1":
			signs = append(signs, fmt.Sprintf("%d-", features))
		case "0":
		default:
			return "", 0, l.errorf("%s = %s: must be -1, 0 or 1 for each feature, e.g. 1,0,-1", l.name, l.value)
		}
		features++
	}
	return strings.Join(signs, ","), features, nil
}

// sameValue reports whether two values are the same word or number.
func sameValue(a, b string) bool {
	x, errA := text.ParseNumber(a, 64)
	y, errB := text.ParseNumber(b, 64)
	return strings.EqualFold(a, b) || errA == nil && errB == nil && x == y
}

// assignment returns a line of a configuration file.
func assignment(name, value string) string {
	if value == "" {
		return "no " + name
	}
	return name + " = " + value
}
